import type { RowGroup } from '../place-table';

/** The reason of the rows that programs may name: mostly they only read there. */
export const INSTALLED = 'installed packages';

/**
 * Places whose content runs by itself, or steers an agent, an editor or a tool. Everything below one is protected too.
 * What runs when the user builds or tests is marked instead: `code-names.ts`.
 */
export const protectedNames: readonly RowGroup[] = [
  {
    why: 'version control',
    paths: `
      .git .hg .svn .jj .gitmodules .gitattributes .gitconfig .hgrc .config/git .sl .bzr .fslckout _fossil_
      .fossil-settings _darcs .pijul .got .hgsub .hgsubstate .lfsconfig .gitreview .arcconfig .p4config
      .p4enviro .repo/manifests .repo/repo bitkeeper/triggers .cvsrc .jjconfig.toml .config/jj .config/hg
      .config/sapling .plastic .arc .arclint .arcunit .mtn _mtn .eden-root .gitconfig.* .gitconfig-*`,
  },
  {
    why: 'git hooks',
    paths: `
      .husky .huskyrc* .githooks .git-hooks .pre-commit-config.y*ml .pre-commit-hooks.y*ml lefthook.y*ml
      lefthook.toml lefthook.json .lefthook.y*ml .lefthook.toml .lefthook.json lefthook-local.*
      .lefthook-local.* .lefthook .lefthook-local .config/lefthook* .lintstagedrc* lint-staged.config.*
      .simple-git-hooks.* simple-git-hooks.* .overcommit.yml .git-hooks.* captainhook.json grumphp.y*ml
      hooks/applypatch-msg hooks/pre-applypatch hooks/post-applypatch hooks/pre-commit hooks/pre-merge-commit
      hooks/prepare-commit-msg hooks/commit-msg hooks/post-commit hooks/pre-rebase hooks/post-checkout
      hooks/post-merge hooks/pre-push hooks/post-rewrite hooks/post-index-change hooks/reference-transaction
      hooks/pre-receive hooks/post-receive hooks/fsmonitor-watchman hk.pkl hk.toml hk.y*ml hk.json .hk.pkl
      .config/hk.pkl .hkrc.pkl prek.toml .trunk lefthook.jsonc .lefthook.jsonc .rusty-hook.toml
      rusty-hook.toml .cargo-husky .overcommit.local.yml .nano-staged* nano-staged.* .vite-hooks
      .pre-commit-config.*.y*ml .hooks hooks/pre-auto-gc hooks/sendemail-validate hooks/post-update
      hooks/proc-receive hooks/push-to-checkout hooks/p4-pre-submit .yorkie .ghooks .lefthookrc .prek.toml
      .lintstaged.* .talismanrc .whiskey whiskey.json .hooksrc`,
  },
  {
    why: 'settings of an editor',
    paths: `
      .vscode *.code-workspace *.code-profile .idea .fleet .vs .zed .nova *.sublime-project
      .externaltoolbuilders .devcontainer .devcontainer.json .clangd .vim .vimrc _vimrc .gvimrc .exrc _exrc
      .lvimrc .ideavimrc .nvim .nvimrc .nvim.lua .config/nvim .helix .emacs .emacs.d .dir-locals.el
      .dir-locals-2.el .luarc.json .luarc.jsonc .luarc.doc.json .kakrc kakrc .config/kak .lvim.lua
      .config/lvim .lazy.lua .vimrc.local .local.vimrc .exrc.lua .nvimrc.lua .neoconf.json .vimspector.json
      .projections.json coc-settings.json .config/vim .config/helix .config/zed .config/emacs .spacemacs
      .doom.d .kateproject .lite_project.lua .micro .ycm_extra_conf.py .ccls .bsp .metals .lsp .clj-kondo
      .calva .merlin hie.yaml .rust-analyzer.toml rust-analyzer.toml .solargraph.yml .phpactor.json
      .phpactor.yml omnisharp.json zls.json erlang_ls.config .project .cproject .settings/org.*
      *.sublime-settings *.sublime-build *.sublime-workspace *.sublime-commands *.sublime-keymap .lapce .theia
      .antigravity .pearai .void .positron .spyproject *.rproj .ropeproject .sourcekit-lsp .elixir_ls
      .elixir-tools *.iml .classpath .factorypath .atom .geany *.geany *.komodoproject .brackets.json
      .nixd.json .exrc.vim .vimlocal .local.vim .sublime *.sublime-syntax .lapce.toml .jdtls .kotlin-lsp
      .nb-gradle .haskell-language-server .tlaplus`,
  },
  {
    why: 'continuous integration',
    paths: `
      .github/workflows .github/actions .github/hooks .gitea/workflows .forgejo/workflows .gitlab-ci.y*ml
      .gitlab/ci .circleci .travis.y*ml .appveyor.y*ml appveyor.y*ml .azure-pipelines azure-pipelines*.y*ml
      bitbucket-pipelines.y*ml .buildkite .cirrus.y*ml .drone.y*ml .woodpecker .teamcity .semaphore
      .gitlab-ci.*.y*ml *.gitlab-ci.y*ml .builds .build.yml .tekton .harness .pipelines .vsts-ci.y*ml
      .codefresh codefresh.y*ml bitrise.y*ml .buddy buddy.yml .screwdriver screwdriver.yaml wercker.yml
      codemagic.yaml ci_scripts/ci_* buildspec.y*ml cloudbuild.y*ml cloudbuild.json .github/settings.y*ml
      .drone.star .cirrus.star .onedev-buildspec.yml .space.kts .earthly-ci bamboo-specs .gitlab/agents
      circle.y*ml .woodpecker.y*ml .drone.jsonnet *.gocd.y*ml .prow.y*ml .zuul.y*ml zuul.y*ml .zuul.d zuul.d
      .packit.y*ml packit.y*ml .copr .evergreen.y*ml evergreen.y*ml .taskcluster.y*ml .vela.y*ml .jenkins-x
      jenkins-x*.y*ml .azuredevops .ado .azure/pipelines shippable.y*ml .spacelift .tangled/workflows
      .cnb.y*ml .workflow .coding-ci.y*ml .gitea/actions .forgejo/actions .scrutinizer.y*ml .lgtm.y*ml .agola
      .argo .flux .concourse .dagger.y*ml`,
  },
  {
    why: 'starts with a workspace in the cloud',
    paths: `
      .gitpod.y*ml .gitpod.dockerfile .replit .idx .codesandbox .stackblitzrc devfile.y*ml .devfile.y*ml .bolt
      .devpod .ona .coder replit.nix .stackblitz .glitch.json .daytona .daytonaio .codeanywhere .che .okteto
      okteto.stack.y*ml .e2b e2b.toml e2b.dockerfile .codespaces`,
  },
  {
    why: 'instructions or settings of an agent',
    paths: `
      .mcp.json mcp.json .mcp mcp-config.json mcp_config.json .github/instructions .github/prompts
      .github/agents .github/chatmodes .github/skills .github/copilot* copilot-instructions.md
      *.instructions.md *.prompt.md *.chatmode.md *.agent.md .copilot .cursor .cursorrules .claude
      .claude.json .codex .gemini .roo .roomodes .roorules* .cline .clinerules* .windsurf .windsurfrules
      .kilocode .kilocodemodes .kilo .continue .continuerules .continuerc.json .opencode opencode.json
      opencode.jsonc .amazonq .kiro .agent .agents .aider* .augment .augment-guidelines .junie .trae .goose
      .goosehints .crush crush.json .crush.json .factory .qwen .qoder .openhands .openhands_instructions
      .rules agent.md agents.md agents.local.md agents.override.md claude.md claude.local.md gemini.md qwen.md
      crush.md warp.md skill.md .ai .airules .airules.md airules.md .aiassistant .aicontext .ai-rules .amp
      .ampcode .auggie .augmentcode .bito .blackbox .blackboxai .bmad .bmad-core _bmad .claude-plugin
      .claude-flow .codebuddy .codegen .codegpt .cody .sourcegraph .comate .commandcode .command-code
      .conductor .cortex .deepagents .devin .firebender .forge .gigacode .grok .iflow .jules .kimi .kode
      .letta .lingma .marscode .mux .nanocoder .neovate .openclaw .pi .plandex .pochi .qodo .refact .rovodev
      .ruler .serena .skills .specify .superdesign .sweep .tabby .tabnine .taskmaster .taskmasterconfig
      .traycer .trae-cn .traerules .vibe .voidrules .warp .zencoder .zenrules .agent-os .agent-plugin
      .agents-plugin .codex-plugin .cursor-plugin .github/plugin .kilocoderules* .goosehints* .cursor.json
      .opencode.json .opencode.jsonc kilo.json kilo.jsonc gemini-extension.json qwen-extension.json
      hooks/hooks.json .coderabbit.y*ml greptile.json .greptile .pr_agent.toml ellipsis.yaml .sourcery.y*ml
      .bugbot bugbot.md .cursorignore .cursorindexingignore .aiexclude .aiignore .geminiignore .claudeignore
      .codexignore .continueignore .clineignore .rooignore .kilocodeignore .augmentignore .qwenignore
      .opencodeignore .gooseignore .parleyignore .codeiumignore .copilotignore .tabnineignore .rovodevignore
      .agentignore .llmignore conventions.md codex.md codebuddy.md iflow.md replit.md .replit.md gigacode.md
      .agent.md agents.*.md claude.*.md gemini.*.md .mcp.*.json .mcp.toml .mcp.y*ml mcp.toml mcp.y*ml
      mcp_servers.json mcp-servers.json mcp_settings.json cline_mcp_settings.json claude_desktop_config.json
      mcporter.json .aider .llm .gptme gptme.toml .smolagents *.mdc .droid .mistral .mistralai .lovable .v0
      .cascade .swe-agent .sweagent .supermaven .aide .hermes .clawdbot .moltbot soul.md heartbeat.md
      opencode.md .agentrules .agentrc .agentrc.* .chatgpt .gpt-engineer .gpteng .codewhisperer .rulesync
      rulesync.jsonc .openspec .clauderules .claude-code .geminirules .mcp-servers.json mcp.config.json .mcprc
      .mcp-config.json .llmrules .subagents .prompts .agentic .opencommit .cursorrules.* .windsurfrules.*
      .ai-assistant .codexrc .kimi-cli .zcode .codearts .codefuse .aone .auto-coder .autocoder .cosine .solver
      .wingman .tongyi`,
  },
  {
    why: 'settings of a package manager',
    paths: `
      .npmrc .yarnrc .yarnrc.y*ml .yarn/releases .yarn/plugins .yarn/sdks .pnp.* .pnpmfile.* pnpmfile.*
      .bowerrc .bundle .gemrc .pypirc pip.conf pip.ini .config/pip .pydistutils.cfg .condarc condarc .mambarc
      .cargo/config* .m2 .mvn gradle/wrapper init.gradle* .gradle/gradle.properties .pdm-python .pdm.toml
      pdm.toml .config/uv .config/pypoetry .config/pnpm .config/yarn .config/composer .pip .cpan .swiftpm
      .pnpmrc .jspmrc .cargo/env .stack/config.yaml .opam/config .sbt .config/nuget .hex/hex.config
      .julia/config .config/conda .npmrc.* .config/containers .config/helm`,
  },
  {
    why: INSTALLED,
    paths: `
      node_modules .luarocks .ivy2 .gem .cabal .nuget .deno .yarn/cache .yarn/unplugged bower_components
      site-packages dist-packages conda-meta .pixi .terraform .terragrunt-cache __pypackages__ .tox .nox .eggs
      jspm_packages .pnpm-store vendor/bundle _opam .stack-work .cargo/bin .cargo/registry .cache/pre-commit
      .local/share/pnpm .nvm .pyenv .rbenv .asdf .volta .sdkman .rustup .dart_tool`,
  },
  {
    why: 'starts with a shell',
    paths: `
      .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
      .zlogout .cshrc .tcshrc .kshrc .config/fish .inputrc .screenrc .tmux.conf .envrc .direnvrc .direnv
      .config/direnv .autoenv* mise.toml .mise.toml mise.*.toml .mise.*.toml .mise .config/mise*
      mise/config*.toml .rtx.toml .bashrc.* .bash_profile.* .bashrc.d .zshrc.* .zshrc.d .zshenv.* .profile.*
      .login .logout .mkshrc .shrc .yashrc .xonshrc .elvish .config/nushell .config/elvish .config/xonsh
      .config/powershell profile.ps1 *_profile.ps1 .config/starship* starship.toml .config/zsh .config/bash
      .oh-my-zsh .config/tmux .tmux .byobu .zellij .config/zellij .screenrc.* .envrc.* .asdfrc .prototools
      .proto .pkgx.y*ml pkgx.y*ml .tea.y*ml .flox bin/hermit.hcl .config/environment.d .pam_environment
      .xprofile .xinitrc .xsession .xsessionrc .shadowenv.d .ondir`,
  },
  {
    why: 'starts with a program',
    paths: `
      .ssh .ripgreprc .curlrc _curlrc .wgetrc .gdbinit .lldbinit .irbrc .pryrc .rdbgrc .rprofile .renviron
      sitecustomize.py usercustomize.py *.pth *.egg-link .lldbinit-* .gdbearlyinit .lldb .radare2rc .ackrc
      .agrc .wget2rc .wget2 .lftprc .mailcap .lessfilter .lesskey .config/gh .config/glab-cli
      .config/git-cliff .docker/cli-plugins .docker/config.json .kube/config* .aws/config .aws/cli/alias
      .terraformrc terraform.rc .terraform.d .ipython .jupyter .config/autostart .config/systemd
      library/launchagents .local/bin .local/share/applications .wezterm.lua .config/wezterm .config/kitty
      .config/ghostty .config/alacritty .hammerspoon .config/hypr .config/i3 .config/sway .psqlrc .sqliterc
      .mongoshrc.js .mongorc.js .dbeaver .erlang .config/ripgrep* .config/bat .config/fd .config/ranger
      .config/lf .config/nnn .config/yazi .config/lazygit .lazygit.yml .tigrc .gitui .pythonstartup .pythonrc*
      .octaverc .sbclrc .ecl .eclrc .ccl-init.lisp .clisprc* .guile .racketrc .swiplrc .config/watchexec`,
  },
  {
    why: 'programs of a virtual environment',
    paths: `
      bin/activate* scripts/activate* bin/python bin/python.exe bin/python2* bin/python3* bin/pypy* bin/pip
      bin/pip2* bin/pip3* scripts/*.exe venv/bin .venv/bin env/bin virtualenv/bin .virtualenv/bin venv/scripts
      .venv/scripts pyvenv.cfg`,
  },
];
