# Needs Python 3.11 or later, git and make; every target first makes .venv and installs into it what is missing.
PYTHON ?= python3
# What `test` and its kin install; `make test EXTRAS=dev` does without PyTorch, and without the tests that need it.
EXTRAS ?= dev,train
VENV := .venv
BIN := $(VENV)/bin
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: quickstart test lint docs site golden notebooks bench proof

# An agent trained for two minutes, a tournament of all agents, and a page that tells both.
quickstart: $(VENV)/use.stamp
	$(BIN)/sushigo quickstart

# Style and types, then every test.
test: lint
	$(BIN)/pytest -n auto

lint: $(VENV)/$(EXTRAS).stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(if $(findstring train,$(EXTRAS)),,-p sushigo_env -p sushigo_agents)

# Write the docs that come from the code.
docs: $(VENV)/$(EXTRAS).stamp
	$(BIN)/python -m tests.write_docs

# Build the docs as a site; its pages can be opened from site/ as they are, but its search only works from a server.
site: $(VENV)/$(EXTRAS).stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Write the golden games anew; their git diff is the review.
golden: $(VENV)/$(EXTRAS).stamp
	$(BIN)/python -m tests.golden_games
	$(BIN)/python -m tests.boat_golden

# Run the notebooks in full and keep what they show; some minutes each.
notebooks: $(VENV)/$(EXTRAS).stamp
	$(BIN)/python -m tests.run_notebooks

# Speed on this machine.
bench: $(VENV)/use.stamp
	$(BIN)/sushigo bench

# The engines against the plain references on 100,000 games a table, 5,000 of Sushi Boat; takes long. In part, say:
# make proof PROOF="--game sushi_boat --table 2-menus --workers 1"
proof: $(VENV)/$(EXTRAS).stamp
	$(BIN)/python -m tests.proof $(PROOF)

$(VENV)/$(EXTRAS).stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[$(EXTRAS)]'
	touch $@

# PyTorch is large, above all on Linux, where it brings its libraries for GPUs unless another build of it is there.
$(VENV)/use.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[train,experiments,app]'
	touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "$(PYTHON) is not Python 3.11 or later; name one that is: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
