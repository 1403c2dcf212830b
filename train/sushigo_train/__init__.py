"""How players come to be: training recipes, self-play, checkpoints and export."""
