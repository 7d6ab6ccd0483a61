import assert from 'node:assert/strict';
import { isProtected, leadsToProtected } from '../../../../src/policy/paths/protected';
import { protectedRows } from '../../../../src/policy/paths/protected-places';
import { markedRow, markedRows } from '../../../../src/policy/paths/runs-code';

const split = (path: string) => path.split('/');

/** As the threat model lists them, whatever the table of the code holds. */
const promised: readonly string[] = `
  .git .hg .svn .gitmodules .gitattributes .gitconfig .vscode a.code-workspace .idea .vs .devcontainer .github/workflows
  .github/actions .gitlab-ci.yml .circleci .husky .pre-commit-config.yaml lefthook.yml .envrc .mcp.json .cursor .claude
  .codex .gemini .roo .cline .clinerules .windsurf .kilocode .continue .opencode .amazonq .kiro .agents .cursorrules
  AGENTS.md CLAUDE.md GEMINI.md SKILL.md copilot-instructions.md .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pypirc
  .ripgreprc .bashrc .bash_profile .profile .zshrc .zshenv .zprofile .zlogin .ssh .venv/bin/python .venv/bin/python3
  .venv/bin/python3.12 venv/bin/activate venv/bin/activate.fish venv/Scripts/activate.bat venv/Scripts/Activate.ps1
  venv/Scripts/python.exe
  .devcontainer.json .github/hooks .github/instructions .github/prompts .github/agents .github/chatmodes
  .github/copilot-instructions.md .cargo/config .cargo/config.toml .githooks .githooks/pre-commit lefthook-local.yml
  lefthook-local.yaml .lefthook-local.yml .lefthook.toml .lintstagedrc .lintstagedrc.json .yarn/releases .yarn/plugins
  .pnp.cjs .pnp.loader.mjs node_modules node_modules/a/index.js packages/b/node_modules/.bin/tsc .zed opencode.json
  opencode.jsonc mcp.json CLAUDE.local.md AGENTS.override.md rules/a.instructions.md .mvn
  gradle/wrapper/gradle-wrapper.properties mise.toml .mise.toml mise.local.toml .config/mise/config.toml .clangd
  .venv/bin/pytest venv/bin/uvicorn venv/Scripts/pytest.exe .venv/pyvenv.cfg a.pth a.egg-link sitecustomize.py
  usercustomize.py site-packages/a.py pip.conf .condarc .bundle/config .gemrc .irbrc .pryrc .Rprofile .gdbinit
  .lldbinit .vimrc .exrc .nvimrc .nvim.lua .emacs .dir-locals.el .tmux.conf .direnv hooks/pre-commit .travis.yml
  azure-pipelines.yml .gitpod.yml .aider.conf.yml
  hk.pkl .config/hk.pkl prek.toml .trunk .sl .bzr _darcs .lfsconfig .p4config .luarc.json .kakrc .lvim.lua .lazy.lua
  .vimspector.json .bsp .lsp hie.yaml .rust-analyzer.toml .project .aiassistant .warp .rovodev .firebender .codebuddy
  .vibe .zencoder .tabnine .ruler CONVENTIONS.md .ai .amp .iflow IFLOW.md .claude-plugin .specify .cursorignore
  .aiexclude .parleyignore mcp_settings.json .builds .tekton devfile.yaml .pdm-python .luarocks .terraform .asdfrc
  .prototools .flox starship.toml .ackrc .aws/config .kube/config .docker/config.json .ipython .psqlrc
  .arclint .gitconfig-work .yorkie .prek.toml .ropeproject .sourcekit-lsp app.iml circle.yml .woodpecker.yaml
  .zuul.d .packit.yaml .taskcluster.yml .tangled/workflows .cnb.yml .daytona e2b.toml rules/a.mdc .droid SOUL.md
  .agentrules .mcprc .openspec rulesync.jsonc`
  .split(/\s+/u)
  .filter((path) => path !== '');

describe('protected paths', () => {
  for (const path of promised) {
    it(`G8.promised ${path}`, () => {
      for (const place of [path, `a/b/${path}`, `${path}/c`, path.toUpperCase(), path.toLowerCase()]) {
        assert.ok(isProtected(split(place)), place);
      }
    });
  }

  const spellings: readonly { readonly name: string; readonly path: string }[] = [
    { name: 'case', path: '.GiT' },
    { name: 'long s', path: '.\u017f\u017fh' },
    { name: 'Kelvin sign', path: '.\u212airo' },
    { name: 'full width', path: '\uff0e\uff47\uff49\uff54' },
    { name: 'zero width', path: '.g\u200bit' },
    { name: 'soft hyphen', path: '.gi\u00adt' },
    { name: 'joiner', path: '.git\u2060' },
    { name: 'variation selector', path: '.git\ufe0f' },
    { name: 'tag', path: '.git\u{e0020}' },
    { name: 'byte order mark', path: '\ufeff.git' },
    { name: 'trailing dot', path: '.git.' },
    { name: 'trailing dots and blanks', path: '.git. . ' },
    { name: 'stream', path: '.git::$INDEX_ALLOCATION' },
    { name: 'named stream', path: '.git:x' },
  ];
  for (const { name, path } of spellings) {
    it(`G8.spelling ${name}`, () => {
      assert.ok(isProtected([path]));
      assert.ok(isProtected(['a', path, 'x']));
    });
  }

  it('G8.reason is told for every row, and no row is there twice', () => {
    const rows = [...protectedRows, ...markedRows];
    for (const { path, why } of rows) assert.ok(why.length > 3 && path === path.toLowerCase(), path);
    assert.deepEqual(
      [...new Set(rows.map(({ path }) => path))],
      rows.map(({ path }) => path),
    );
  });

  for (const { path } of protectedRows) {
    const example = path.replaceAll('*', 'x');
    it(`G8.protected holds ${path} at any depth, with all below it`, () => {
      for (const place of [example, `a/b/${example}`, `${example}/deeper/file`]) {
        assert.ok(isProtected(split(place)), place);
      }
    });
    it(`G8.protected knows ${path} under other spellings`, () => {
      const spellings = [
        example.toUpperCase(),
        example.replace(/[a-z]/u, (letter) => `\u200b${letter}`),
        example.replace(/[a-z]/gu, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
      ];
      for (const place of spellings) assert.ok(isProtected(split(place)), JSON.stringify(place));
      for (const place of [`${example}.`, `${example} .`, `${example}::$DATA`]) {
        assert.ok(isProtected(split(place)), place);
      }
    });
  }

  const ordinary = [
    'src/a.ts',
    'package.json',
    'Makefile',
    '.github/dependabot.yml',
    'github/workflows/x.yml',
    '.gitignore',
    'git/config',
    'docs/agents.txt',
    'my.git/x',
    'bin/run',
    'scripts/python_lint.py',
    'src/*',
    '.env',
    'README.md',
    'src/hooks/use-state.ts',
    'src/hooks/post-data.ts',
    'docs/prompt.md',
    'src/mcp.ts',
    'config/settings.json',
    'environment/bin.ts',
    'modules/a.js',
    'node_module/a.js',
    'src/rules.ts',
    'profile',
    'gradle/libs.versions.toml',
    '.github/ISSUE_TEMPLATE/bug.yml',
    '.yarn/versions/a.yml',
    '.config/app.json',
    '.editorconfig',
    '.dockerignore',
    'a.path',
    'scripts/release.mjs',
    'docs/conventions/README.md',
    'docs/cursor.md',
    'docs/codex/index.md',
    'src/tabnine.ts',
    'src/hooks/update.ts',
    'sweep.yaml',
    '.gitkeep',
    '.prettierignore',
    'luarc.json',
    'config/trunk/trunk.yaml',
    'docs/opensource.md',
    'src/copr.ts',
    'docs/soul/index.md',
  ];
  for (const path of ordinary) {
    it(`takes ${path} for ordinary`, () => {
      assert.equal(isProtected(split(path)), false);
    });
  }

  it('G8.move knows folders in which protected ones lie', () => {
    assert.ok(leadsToProtected(['a', '.GitHub']));
    assert.equal(leadsToProtected(['bin']), false);
    assert.equal(leadsToProtected(['.github', 'x']), false);
  });
});

describe('files that say what is run', () => {
  const marked = `
    package.json .vscode-test.mjs gradlew gradlew.bat mvnw mvnw.cmd .bazelrc .bazelversion bazelisk .clang-tidy .flake8
    ruff.toml .ruff.toml .pylintrc pylintrc mypy.ini .mypy.ini .jshintrc .prettierrc.js .stylelintrc.js .eslintrc.cjs
    commitlint.config.js .tool-versions rust-toolchain.toml pnpm-workspace.yaml Makefile conftest.py vite.config.ts
    Directory.Build.props Jenkinsfile flake.nix manage.py artisan tsconfig.base.json go.mod go.sum yarn.lock uv.lock
    Gemfile.lock requirements-dev.txt requirements/dev.txt constraints.txt modules/vpc/vars.tf terragrunt.hcl
    ansible.cfg roles/web/tasks/main.yml moon.yml Taskfile.dist.yaml pixi.toml environment-dev.yml .air.toml
    build.zig.zon config.nims deps.edn .pdbrc .byebugrc .ghci .iex.exs .formatter.exs .credo.exs .ocamlinit dune
    dune-workspace .luacheckrc .sbtopts project/plugins.sbt project/Build.scala a.xcodeproj/project.pbxproj
    vitest.workspace.ts jest.setup.ts .storybook/main.ts spec_helper.rb rails_helper.rb test_helper.exs launchSettings.json
    .run/app.run.xml fabfile.py dodo.py Snakefile action.yml wrangler.jsonc serverless.ts netlify.toml cdk.json
    docs/conf.py mkdocs.yml Makefile.PL cpanfile platformio.ini compile_commands.json tauri.conf.json`
    .split(/\s+/u)
    .filter((path) => path !== '');
  for (const path of marked) {
    it(`G8.marked ${path}`, () => {
      for (const place of [path, `a/b/${path}`, path.toUpperCase(), `${path}.`])
        assert.ok(markedRow(split(place)), place);
      assert.equal(isProtected(split(path)), false);
    });
  }

  for (const path of [
    'src/a.ts',
    'README.md',
    'package.json/x',
    'src/config.ts',
    'data/main.tf.txt',
    'docs/Dockerfile.md',
    'jest.setup.md',
    'src/tasks.ts',
    'src/build.ts',
    'locales/en/action.json',
    'docs/cloud.yml',
    'go.modx',
    'artisans',
    '.gitignore',
  ])
    it(`do not count ${path}`, () => {
      assert.equal(markedRow(split(path)), undefined);
    });
});
