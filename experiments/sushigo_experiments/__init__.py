"""What we find out: tournaments, statistics, reports and benchmarks."""
