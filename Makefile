# Everything starts with tools/setup, which brings OCaml and the libraries where they are missing.

# Six of README's programs; with what the compiler needs for them they fit in two minutes.
DEMO := json type-checker page-rank k-means rays word-count

.PHONY: help demo guard test doc pages fmt clean

COMMIT := HEAD

help: ## print this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

demo: ## measure how real programs scale on this machine, in two minutes; writes report.html
	tools/setup --demo dune exec bench/main.exe -- $(DEMO) --domains 1,$$(getconf _NPROCESSORS_ONLN) --html report.html

guard: ## name what has become slower since COMMIT, by default the last one; five minutes
	tools/setup dune exec bench/main.exe -- --guard $(COMMIT)

test: ## run every test
	tools/test

doc: ## build the manual, manual/index.html, and the pages for GitHub, doc/markdown; installs odoc and ocamlformat
	tools/setup --dev tools/manual

pages: ## look at manual, report and timeline in a headless Chromium, if there is one
	tools/setup --dev tools/pages

fmt: ## format the sources; installs ocamlformat and odoc where they are missing
	tools/setup --dev
	tools/setup dune fmt 2>/dev/null || tools/setup dune build @fmt

clean: ## remove what was built
	rm -rf _build manual report.html
