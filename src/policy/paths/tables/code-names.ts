import type { RowGroup } from '../place-table';

/**
 * Files that decide what builds, tests and scripts run. They are edited like any other file, but the user who approves
 * a change should know. Files that run without the user starting anything are protected instead: `protected-names.ts`.
 */
export const codeNames: readonly RowGroup[] = [
  {
    why: 'scripts and builds of JavaScript',
    paths: `
      package.json pnpm-workspace.yaml pnpm-workspace.yml lerna.json nx.json turbo.json .nvmrc .node-version
      *.config.js *.config.cjs *.config.mjs *.config.ts *.config.mts *.config.cts .eslintrc* .babelrc* .swcrc
      .prettierrc* .stylelintrc* .commitlintrc* .jshintrc .xo-config* .mocharc* .nycrc* .c8rc* .tape* .taprc
      .releaserc* .vscode-test.* .parcelrc .postcssrc* gulpfile.* gruntfile.* deno.json deno.jsonc bunfig.toml
      esbuild.mjs esbuild.js biome.json biome.jsonc karma.conf.* protractor.conf.* wdio.conf.* nodemon.json
      .nodemonrc* wallaby.* angular.json tsconfig*.json jsconfig*.json *.config.jsx *.config.tsx
      babel.config.json jest.config.json vitest.workspace.* vitest.setup.* jest.setup.* jest.preset.*
      jest-setup.* setup-jest.* vitest-setup.* setuptests.* setup-tests.* test-setup.* global-setup.*
      globalsetup.* global-teardown.* globalteardown.* *.conf.js *.conf.cjs *.conf.mjs *.conf.ts .storybook/*
      cypress.json cypress/plugins/* cypress/support/* .jestrc* ember-cli-build.js .ember-cli webpack.*.js
      webpack.*.ts webpack.mix.js webpackfile.* brunch-config.* jakefile* project.json rush.json
      common/config/rush/* .changeset/config.json .versionrc* .release-it.* .czrc .autorc .ncurc* deno.lock
      import_map.json importmap.json jsr.json bun.lock bun.lockb npm-shrinkwrap.json package-lock.json
      yarn.lock pnpm-lock.yaml .pnpm-workspace.yaml .oxlintrc* oxlint.json .oxfmtrc* tslint.json
      .markdownlint* .remarkrc* .textlintrc* .htmlnanorc* .posthtmlrc* .pug-lintrc* .sasslintrc*
      .dependency-cruiser.* .depcheckrc* .knip.* knip.json knip.jsonc knip.ts .size-limit.* .lighthouserc*
      lighthouserc* .pa11yci* .graphqlrc* codegen.y*ml codegen.ts .sequelizerc knexfile.* ormconfig.*
      schema.prisma adonisrc.* .adonisrc* ace.js nest-cli.json .angular-cli.json ionic.config.json
      quasar.conf* gatsby-*.js gatsby-*.ts .umirc* .fatherrc* .dumirc* .eleventy.* .puppeteerrc* .testcaferc*
      .stylelintrc .flowconfig .watchmanconfig pm2.json package.json5 .plop* plopfile.* foundry.toml
      anchor.toml tauri.conf.* tauri.*.conf.json electron-builder.* forge.config.* app.json *.gyp *.gypi
      binding.gyp .npmpackagejsonlintrc* .ava.* .esmrc* moon.y*ml .moon/* truffle-config.* truffle.js
      cucumber.js cucumber.cjs cucumber.mjs cucumber.json cucumber.y*ml testem.js testem.json nightwatch.json
      nightwatch.conf.* esbuild.ts esbuild.cjs .hygen.js lage.config.* .lagerc* dart_test.yaml
      hardhat.config.* .solhint.json .solcover.js .wireit`,
  },
  {
    why: 'builds of C and make',
    paths: `
      makefile gnumakefile *.mk cmakelists.txt *.cmake cmakepresets.json cmakeuserpresets.json meson.build
      meson_options.txt configure configure.ac configure.in *.m4 sconstruct sconscript wscript conanfile.*
      .clang-tidy makefile.* *.make *.mak nmakefile bsdmakefile kbuild kbuild.* kconfig *.am meson.options
      autogen.sh bootstrap.sh build.ninja *.ninja *.gn *.gni .gn *.pro *.pri *.qbs xmake.lua premake*.lua
      jamfile* jamroot* tupfile* tuprules.tup vcpkg.json vcpkg-configuration.json conan.lock
      compile_commands.json compile_flags.txt ctestconfig.cmake platformio.ini idf_component.yml west.yml
      sdkconfig* configure.win`,
  },
  {
    why: 'builds and tests of Python',
    paths: `
      pyproject.toml setup.py setup.cfg conftest.py pytest.ini tox.ini noxfile.py tasks.py .flake8 ruff.toml
      .ruff.toml .pylintrc pylintrc pylintrc.toml mypy.ini .mypy.ini pyrightconfig.json .coveragerc .isort.cfg
      .bandit .python-version pipfile hatch.toml manage.py wsgi.py asgi.py fabfile.py dodo.py pavement.py
      locustfile.py gunicorn.conf.py gunicorn_config.py celeryconfig.py alembic.ini alembic/env.py
      migrations/env.py hatch_build.py _build_backend.py requirements*.txt requirements*.in requirements/*.txt
      requirements/*.in *-requirements.txt *_requirements.txt constraints*.txt constraints*.in uv.toml uv.lock
      pixi.toml pixi.lock poetry.toml poetry.lock pdm.lock pylock*.toml pipfile.lock environment.y*ml
      environment-*.y*ml environment.*.y*ml conda-lock.y*ml conda_build_config.yaml anaconda-project.y*ml
      conda/meta.yaml recipe/meta.yaml pytest.toml .pytest.toml .pytest.ini .pdbrc .pdbrc.py ipython_config.py
      jupyter_*_config.* .pylintrc.* .mypy.* .pyre_configuration .prospector.y*ml .pyoxidizer* pyoxidizer.bzl
      features/environment.py behave.ini docs/conf.py doc/conf.py docs/source/conf.py doc/source/conf.py
      docs/make.py buildout.cfg maturin.toml snapcraft.yaml scrapy.cfg airflow.cfg dbt_project.yml dvc.yaml
      mlproject cog.y*ml tox.toml versioneer.py invoke.y*ml fabric.y*ml duties.py uwsgi.ini .uwsgi *.spec
      brownie-config.y*ml ape-config.y*ml snakefile.* .snakemake conda-build.y*ml noxfile.*`,
  },
  {
    why: 'builds of Rust',
    paths: `
      cargo.toml build.rs rust-toolchain rust-toolchain.toml cargo.lock .config/nextest.toml nextest.toml
      bacon.toml .bacon* trunk.toml cross.toml xargo.toml dioxus.toml leptos.toml dist-workspace.toml
      spin.toml shuttle.toml wasmer.toml scarb.toml move.toml cargo-generate.toml`,
  },
  {
    why: 'builds of the JVM',
    paths: `
      gradlew gradlew.bat mvnw mvnw.cmd gradle.properties libs.versions.toml build.gradle* settings.gradle*
      *.gradle *.gradle.kts pom.xml build.sbt plugins.sbt build.properties build.sc build.xml .sbtopts
      .jvmopts .sbtrc *.sbt project/*.scala project/*.sbt *.mill build.mill.* .mill-* .millrc .scalafix.conf
      gradle.lockfile buildscript-gradle.lockfile verification-metadata.xml *.gradle.dcl *.versions.toml
      ivy.xml ivysettings.xml jreleaser.* jitpack.yml .jitpack.yml project.clj deps.edn bb.edn shadow-cljs.edn
      *.cljs.edn build.boot profile*.boot build.clj profiles.clj user.clj tests.edn nbproject/* *.launch
      maven-wrapper.properties mvnw.* buildsrc/* lombok.config .sdkmanrc .java-version ant.properties
      *.main.kts *.bnd kobalt/* jbang-catalog.json`,
  },
  {
    why: 'builds of .NET',
    paths: `
      *.csproj *.fsproj *.vbproj *.vcxproj *.targets *.props *.rsp directory.build.* nuget.config global.json
      dotnet-tools.json launchsettings.json *.sln *.slnx *.slnf *.proj *.pubxml *.shproj *.sqlproj *.wixproj
      *.runsettings *.nuspec *.cake *.tt *.csx packages.config packages.lock.json paket.* .nuke/*
      .config/dotnet-tools.json directory.packages.* directory.solution.* *proj.user *.build.cs *.target.cs
      *.uproject *.uplugin omnisharp.* .csharpierrc* *.fsx`,
  },
  {
    why: 'builds of other languages',
    paths: `
      rakefile gemfile *.gemspec .rspec .rubocop.y*ml guardfile capfile vagrantfile fastfile composer.json
      phpunit.xml* .php-cs-fixer* phpstan.neon* mix.exs rebar.config dune-project .golangci.* package.swift
      podfile *.cabal stack.yaml shell.nix default.nix flake.nix devenv.nix devbox.json go.mod go.sum go.work
      go.work.sum .air.toml air.toml magefile.go magefiles/* modd.conf reflex.conf .realize.y*ml .mockery.y*ml
      .goreleaser.* goreleaser.* .ko.y*ml buf.gen*.y*ml buf.work.yaml sqlc.y*ml wails.json .golangci*
      gqlgen.yml ent/generate.go build.zig build.zig.zon config.nims nim.cfg *.nims *.nimble nimble.lock
      dub.json dub.sdl dub.selections.json shard.yml shard.lock v.mod gleam.toml *.opam opam dune
      dune-workspace jbuild esy.json rescript.json bsconfig.json .ocamlinit .utoprc .ghci .ghcid .haskeline
      package.yaml cabal.project* stack*.yaml stack*.yaml.lock setup.hs setup.lhs shakefile.hs spago.*
      elm.json .iex.exs .iex.*.exs .formatter.exs .credo.exs .*.exs mix.lock rebar.config.* rebar.lock
      emakefile erlang.mk sys.config vm.args test_helper.exs .luacheckrc .busted *.rockspec config.ld .proverc
      .perlcriticrc .perltidyrc .perldb .replyrc makefile.pl build.pl cpanfile* dist.ini minil.toml *.psgi
      .lintr renv.lock _targets.r renv/activate.r packrat/init.r project.toml manifest.toml manifest-*.toml
      localpreferences.toml deps/build.jl startup.jl spec_helper.rb rails_helper.rb test_helper.rb gemfile.*
      *.gemfile gems.rb gems.locked *.rake *.thor thorfile .rspec-local .simplecov .byebugrc .standard.yml
      .erb-lint.yml .erb_lint.yml .reek.yml steepfile appraisals config.ru config/boot.rb
      config/application.rb config/environment.rb config/puma.rb bin/rails bin/rake bin/setup bin/dev
      features/support/env.rb berksfile* policyfile.rb puppetfile cheffile kitchen.yml .kitchen.yml
      dangerfile* brewfile* mintfile appfile matchfile gymfile pluginfile scanfile deliverfile snapfile
      .ruby-version .ruby-gemset artisan composer.lock phpcs.xml* .phpcs.xml* psalm.xml* phpstan*.neon*
      rector.php ecs.php pint.json .php_cs* infection.json* .phan/* box.json castor.php robofile.php
      deploy.php phpbench.json pest.php tests/bootstrap.php behat.y*ml codeception.y*ml php.ini .user.ini
      .htaccess bin/console wp-cli.yml wp-cli.local.yml phinx.* .php-version *.podspec podfile.lock cartfile*
      package.resolved package@swift-*.swift project.swift workspace.swift tuist.swift tuist/* project.pbxproj
      *.xcconfig *.xcscheme contents.xcworkspacedata xcodegen.y*ml .sourcery.yml pubspec.y*ml pubspec.lock
      pubspec_overrides.yaml melos.yaml analysis_options.yaml dartpad.yaml flake.lock devbox.lock devenv.lock
      devenv.y*ml release.nix overlay.nix configuration.nix home.nix .tern-project .styleci.yml .hlint.y*ml
      book.toml mkdocs.y*ml .readthedocs.y*ml _quarto.yml _config.y*ml _plugins/*.rb antora-playbook.yml
      latexmkrc .latexmkrc dune.inc build.yaml *.nix *.asd guix.scm manifest.scm channels.scm cask eask eldev
      easkfile fpm.toml alire.toml *.gpr info.rkt dart_test.y*ml project.godot deptrac.y*ml .scalafmt.conf
      _pkgdown.y*ml typst.toml`,
  },
  {
    why: 'builds with Bazel and its kin',
    paths: `
      build build.bazel workspace workspace.bazel module.bazel *.bzl .bazelrc .bazelversion .bazeliskrc
      bazelisk bazelisk.* buck .buckconfig *.bazel *.bazelrc .bazelrc.* workspace.bzlmod repo.bazel
      module.bazel.lock *.star pants.toml pants.*.toml .pants.rc .plzconfig* buck2 .buckconfig.* targets.v2`,
  },
  {
    why: 'containers',
    paths: `
      dockerfile* *.dockerfile containerfile* docker-compose*.y*ml compose*.y*ml docker-bake.* *.containerfile
      docker-stack*.y*ml dagger.json .dagger/* .lando*.yml .ddev/* .docksal/* process-compose*.y*ml
      podman-compose*.y*ml *.container kraft.y*ml nixpacks.toml railpack.json kustomization.y*ml chart.yaml
      chart.lock helmfile*.y*ml helmfile.lock werf.yaml devspace.yaml garden.y*ml okteto.y*ml draft.toml
      .tilt/* ctlptl.y*ml docker-entrypoint* entrypoint.sh .dockerenv`,
  },
  {
    why: 'tasks',
    paths: `
      .github/dependabot.y*ml renovate.json renovate.json5 .renovaterc* .mergify.yml justfile .justfile *.just
      taskfile.y*ml jenkinsfile* procfile* earthfile skaffold.y*ml tiltfile .tool-versions taskfile*.y*ml
      *.task.y*ml makefile.toml maskfile.md mprocs.y*ml tusk.y*ml runfile robo.y*ml pitchfork.toml
      .overmind.env .foreman *.run.xml .run/* snakefile *.smk nextflow.config action.y*ml .actrc jenkinsfile.*
      *.jenkinsfile supervisord.conf *.service *.timer crontab .tmuxinator.y*ml .tmuxp.* cog.toml cliff.toml
      .bumpversion.* bumpversion.* .megalinter.y*ml .mega-linter.y*ml mise-tasks/* .mise-tasks/* mise/tasks/*
      .terraform-version .opentofu-version .go-version .deno-version .bun-version .zigversion .ghjk* *.cron
      sakefile jakefile.*`,
  },
  {
    why: 'deployments',
    paths: `
      *.tf *.tf.json *.tofu *.tofu.json terragrunt*.hcl *.tm.hcl *.pkr.hcl *.pkr.json .terraform.lock.hcl
      .tflint.hcl *.nomad *.nomad.hcl waypoint.hcl atlantis.yaml ansible.cfg .ansible.cfg .ansible-lint*
      playbook*.y*ml galaxy.yml molecule.yml roles/*/tasks/*.y*ml roles/*/handlers/*.y*ml
      roles/requirements.y*ml collections/requirements.y*ml wrangler.toml wrangler.json wrangler.jsonc
      serverless.y*ml serverless.json serverless.ts serverless.js netlify.toml vercel.json now.json fly.toml
      fly.*.toml render.yaml heroku.yml railway.json railway.toml firebase.json amplify.yml samconfig.toml
      samconfig.y*ml cdk.json pulumi.y*ml pulumi.*.y*ml app.yaml appspec.y*ml apprunner.yaml azure.yaml
      zappa_settings.* chalice/config.json .chalice/config.json .ebextensions/* .platform/* .platform.app.yaml
      .upsun/* .magento.app.yaml .elasticbeanstalk/config.yml captain-definition kamal.yml config/deploy.yml
      config/deploy.rb .kamal/* procfile.* zerops.y*ml modal.toml supabase/config.toml *.bicep *.bicepparam
      azuredeploy*.json *.sls site.y*ml cloud-init*.y*ml user-data copilot/manifest.y*ml
      copilot/*/manifest.y*ml *.cfn.y*ml *.cfn.json inventory.ini`,
  },
];
