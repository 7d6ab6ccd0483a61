import { FAR_ADDRESS } from './git-reach';

/** Settings of a repository that do not start programs. A `*` in a key matches any text, including dots. */
interface KeyGroup {
  readonly why: string;
  /** As git lists them: lower case, except between the first and the last dot. */
  readonly keys: string;
  /** The values that are safe. Without it, any value is safe. */
  readonly values?: RegExp;
}

/** Matches a path that stays inside its base folder. */
const NEAR = /^(?![/~\\]|[A-Za-z]:)(?!.*\.\.)/su;

/**
 * A setting needs approval if it is neither here nor switched off by `git-settings.ts`. To allow a key that git or a
 * known tool writes to ordinary repositories, add it here, provided that neither git nor that tool starts a program
 * because of it.
 */
const GROUPS: readonly KeyGroup[] = [
  {
    why: 'what the repository is and how it stores files',
    keys: `
      core.repositoryformatversion core.bare core.filemode core.logallrefupdates core.ignorecase
      core.precomposeunicode core.symlinks core.autocrlf core.eol core.safecrlf core.longpaths core.fscache
      core.hidedotfiles core.sharedrepository core.trustctime core.checkstat core.ignorestat core.whitespace
      core.quotepath core.checkroundtripencoding core.abbrev core.notesref core.commentchar core.commentstring
      core.protecthfs core.protectntfs core.prefersymlinkrefs core.usereplacerefs core.warnambiguousrefs
      core.sparsecheckout core.sparsecheckoutcone core.splitindex core.untrackedcache core.preloadindex
      core.multipackindex core.commitgraph core.compression core.loosecompression core.createobject
      core.bigfilethreshold core.deltabasecachelimit core.packedgitlimit core.packedgitwindowsize
      core.packedrefstimeout core.filesreflocktimeout core.fsync core.fsyncmethod core.fsyncobjectfiles
      core.fsmonitorhookversion core.usebuiltinfsmonitor core.alternaterefsprefixes core.maxtreedepth
      core.restrictinheritedhandles core.excludesfile core.trustfolderstat core.supportsatomicfilecreation
      extensions.worktreeconfig extensions.objectformat extensions.compatobjectformat extensions.refstorage
      extensions.partialclone extensions.preciousobjects extensions.relativeworktrees extensions.noop
      extensions.noop-v1 attr.tree sparse.expectfilesoutsideofpatterns
      splitindex.maxpercentchange splitindex.sharedindexexpire index.recordendofindexentries
      index.recordoffsettable index.skiphash index.sparse index.threads index.version feature.experimental
      feature.manyfiles worktree.guessremote worktree.userelativepaths reftable.blocksize
      reftable.geometricfactor reftable.indexobjects reftable.locktimeout reftable.restartinterval`,
  },
  { why: 'where its files lie, which is looked at on its own', keys: 'core.worktree' },
  {
    why: 'how texts look, and which hints are given',
    keys: `
      advice.* color.* pretty.* column.branch column.clean column.status column.tag column.ui
      i18n.commitencoding i18n.logoutputencoding log.abbrevcommit log.date log.decorate log.diffmerges
      log.excludedecoration log.follow log.graphcolors log.initialdecorationset log.mailmap log.showroot
      log.showsignature blame.blankboundary blame.coloring blame.date blame.markignoredlines
      blame.markunblamablelines blame.showemail blame.showroot status.aheadbehind status.branch
      status.displaycommentprefix status.relativepaths status.renamelimit status.renames status.short
      status.showstash status.showuntrackedfiles status.submodulesummary showbranch.default
      stash.showincludeuntracked stash.showpatch stash.showstat grep.column grep.extendedregexp
      grep.fallbacktonoindex grep.fullname grep.linenumber grep.patterntype grep.threads
      interactive.singlekey completion.commands versionsort.suffix versionsort.prereleasesuffix
      add.ignoreerrors
      add.interactive.usebuiltin help.autocorrect`,
  },
  {
    why: 'files whose lines git may print, where they are not for that',
    keys: 'blame.ignorerevsfile',
    values: /^(?!.*\.\.)(?![/~])[\w./-]*ignore[\w-]*revs?[\w.-]*$/iu,
  },
  { why: 'texts of the working tree', keys: 'commit.template mailmap.file', values: NEAR },
  {
    why: 'the identity of the user; their programs use its keys',
    keys: 'user.name user.email user.signingkey user.useconfigonly author.name author.email committer.name committer.email mailmap.blob',
  },
  {
    why: 'branches, and notes of VS Code, GitHub CLI and GitLens on them',
    keys: `
      branch.*.merge branch.*.rebase branch.*.description branch.autosetupmerge branch.autosetuprebase
      branch.sort branch.*.vscode-* branch.*.github-pr-* branch.*.gh-* branch.*.gk-* tag.forcesignannotated
      tag.gpgsign tag.sort`,
  },
  {
    why: 'a merge strategy of another name is a program',
    keys: 'pull.twohead pull.octopus',
    values: /^(?:(?:ort|recursive|resolve|octopus|ours|subtree) ?)*$/u,
  },
  {
    why: 'options of a merge that start nothing',
    keys: 'branch.*.mergeoptions',
    values: /^(?:--(?:no-)?(?:ff|ff-only|commit|edit|stat|log|squash|summary|progress|signoff) ?)*$/u,
  },
  {
    why: 'other repositories; where they lie is looked at where a command reaches them',
    keys: `
      remote.*.url remote.*.pushurl remote.pushdefault branch.*.remote branch.*.pushremote remotes.*
      url.*.insteadof url.*.pushinsteadof submodule.*.url remote.*.fetch remote.*.push remote.*.mirror
      remote.*.prune remote.*.prunetags remote.*.tagopt remote.*.skipdefaultupdate remote.*.skipfetchall
      remote.*.promisor remote.*.partialclonefilter remote.*.proxy remote.*.proxyauthmethod
      remote.*.followremotehead remote.*.serveroption remote.*.gh-resolved remote.*.github-pr-remote
      fetch.all fetch.bundlecreationtoken fetch.fsckobjects fetch.negotiationalgorithm fetch.output
      fetch.parallel fetch.prune fetch.prunetags fetch.recursesubmodules fetch.showforcedupdates
      fetch.unpacklimit fetch.writecommitgraph push.autosetupremote push.default push.followtags
      push.gpgsign push.negotiate push.pushoption push.recursesubmodules push.usebitmaps
      push.useforceifincludes pull.ff pull.rebase protocol.version ssh.variant protocol.http.allow
      protocol.https.allow protocol.ssh.allow protocol.git.allow protocol.ftp.allow protocol.ftps.allow`,
  },
  {
    why: 'submodules, whose own settings are looked at too',
    keys: `
      submodule.*.active submodule.*.branch submodule.*.ignore submodule.*.fetchrecursesubmodules
      submodule.active submodule.recurse submodule.fetchjobs submodule.propagatebranches
      submodule.alternatelocation submodule.alternateerrorstrategy`,
  },
  {
    why: 'how an HTTP server is talked to',
    keys: [
      ...[
        'sslverify',
        'sslversion',
        'sslcipherlist',
        'sslbackend',
        'ssltry',
        'sslcainfo',
        'sslcapath',
        'sslcert',
      ],
      ...['sslkey', 'sslcertpasswordprotected', 'schannelcheckrevoke', 'schannelusesslcainfo', 'proxy'],
      ...[
        'proxyauthmethod',
        'proxysslcainfo',
        'proxysslcert',
        'proxysslcertpasswordprotected',
        'proxysslkey',
      ],
      ...[
        'pinnedpubkey',
        'postbuffer',
        'extraheader',
        'useragent',
        'followredirects',
        'lowspeedlimit',
        'version',
      ],
      ...[
        'lowspeedtime',
        'maxrequests',
        'minsessions',
        'noepsv',
        'emptyauth',
        'delegation',
        'curloptresolve',
      ],
      ...['keepaliveidle', 'keepaliveinterval', 'keepalivecount', 'maxretries', 'maxretrytime', 'retryafter'],
    ]
      .flatMap((name) => [`http.${name}`, `http.*.${name}`])
      .join(' '),
  },
  {
    why: 'for whom a helper of the user is asked',
    keys: `
      credential.username credential.*.username credential.usehttppath credential.*.usehttppath
      credential.protectprotocol credential.*.protectprotocol credential.sanitizeprompt
      credential.*.sanitizeprompt credential.provider credential.*.provider`,
  },
  {
    why: 'differences and merges, without their programs',
    keys: `
      diff.algorithm diff.autorefreshindex diff.colormoved diff.colormovedws diff.context diff.dirstat
      diff.dstprefix diff.srcprefix diff.guitool diff.ignoresubmodules diff.indentheuristic
      diff.interhunkcontext diff.mnemonicprefix diff.noindex diff.noprefix diff.orderfile diff.relative
      diff.renamelimit diff.renames diff.statgraphwidth diff.statnamewidth diff.submodule
      diff.suppressblankempty diff.tool diff.trustexitcode diff.wordregex diff.wserrorhighlight
      diff.*.binary diff.*.cachetextconv diff.*.wordregex diff.*.xfuncname diff.*.funcname diff.*.algorithm
      diff.*.trustexitcode merge.*.name merge.*.recursive merge.autostash merge.branchdesc
      merge.conflictstyle merge.defaulttoupstream merge.directoryrenames merge.ff merge.guitool merge.log
      merge.renamelimit merge.renames merge.renormalize merge.stat merge.suppressdest merge.tool
      merge.verbosity merge.verifysignatures mergetool.hideresolved mergetool.keepbackup
      mergetool.keeptemporaries mergetool.prompt mergetool.writetotemp mergetool.*.hideresolved
      mergetool.*.trustexitcode mergetool.meld.hasoutput mergetool.meld.useautomerge
      mergetool.vimdiff.layout difftool.prompt difftool.trustexitcode filter.*.required
      apply.ignorewhitespace apply.whitespace am.keepcr am.threeway rerere.autoupdate rerere.enabled
      revert.reference`,
  },
  {
    why: 'commits, and mails made of them',
    keys: `
      commit.cleanup commit.gpgsign commit.status commit.verbose gpg.format gpg.mintrustlevel
      gpg.ssh.allowedsignersfile gpg.ssh.revocationfile rebase.abbreviatecommands
      rebase.autosquash rebase.autostash rebase.backend rebase.forkpoint rebase.instructionformat
      rebase.maxlabellength rebase.missingcommitscheck rebase.rebasemerges rebase.reschedulefailedexec
      rebase.stat rebase.updaterefs notes.*.mergestrategy notes.displayref notes.mergestrategy
      notes.rewrite.* notes.rewritemode notes.rewriteref format.attach format.cc
      format.coverfromdescription format.coverletter format.encodeemailheaders format.filenamemaxlength
      format.forceinbodyfrom format.from format.headers format.mboxrd format.notes format.noprefix
      format.numbered format.pretty format.signature format.signoff format.subjectprefix format.suffix
      format.thread format.to format.useautobase mailinfo.scissors trailer.separators trailer.where
      trailer.ifexists trailer.ifmissing trailer.*.key trailer.*.where trailer.*.ifexists
      trailer.*.ifmissing sendemail.to sendemail.cc sendemail.bcc sendemail.from sendemail.suppresscc
      sendemail.suppressfrom sendemail.signedoffbycc sendemail.thread sendemail.chainreplyto
      sendemail.confirm sendemail.annotate`,
  },
  {
    why: 'how objects are packed, kept, checked and served',
    keys: `
      gc.*.reflogexpire gc.*.reflogexpireunreachable gc.aggressivedepth gc.aggressivewindow gc.auto
      gc.autodetach gc.autopacklimit gc.bigpackthreshold gc.cruftpacks gc.expiretobefore gc.logexpiry
      gc.maxcruftsize gc.packrefs gc.pruneexpire gc.reflogexpire gc.reflogexpireunreachable
      gc.rerereresolved gc.rerereunresolved gc.worktreepruneexpire gc.writecommitgraph maintenance.auto maintenance.autodetach maintenance.strategy maintenance.*.auto
      maintenance.*.enabled maintenance.*.schedule pack.allowpackreuse pack.compression
      pack.deltacachelimit pack.deltacachesize pack.depth pack.indexversion pack.island pack.islandcore
      pack.packsizelimit pack.preferbitmaptips pack.readreverseindex pack.threads pack.usebitmaps
      pack.usebitmapboundarytraversal pack.usepathwalk pack.usesparse pack.window pack.windowmemory
      pack.writebitmaphashcache pack.writebitmaplookuptable pack.writereverseindex repack.cruftdepth
      repack.cruftthreads repack.cruftwindow repack.cruftwindowmemory repack.midxmustcontaincruft
      repack.packkeptobjects repack.updateserverinfo repack.usedeltabaseoffset repack.usedeltaislands
      repack.writebitmaps commitgraph.changedpathsversion commitgraph.generationversion
      commitgraph.maxnewfilters commitgraph.readchangedpaths receive.advertiseatomic
      receive.advertisepushoptions receive.autogc receive.certnonceseed receive.certnonceslop
      receive.denycurrentbranch receive.denydeletecurrent receive.denydeletes
      receive.denynonfastforwards receive.fsckobjects receive.hiderefs receive.keepalive
      receive.maxinputsize receive.shallowupdate receive.unpacklimit receive.updateserverinfo
      transfer.advertiseobjectinfo transfer.advertisesid transfer.bundleuri transfer.credentialsinurl
      transfer.fsckobjects transfer.hiderefs transfer.unpacklimit fastimport.unpacklimit uploadarchive.allowunreachable
      uploadpack.allowanysha1inwant uploadpack.allowfilter uploadpack.allowreachablesha1inwant
      uploadpack.allowrefinwant uploadpack.allowtipsha1inwant uploadpack.hiderefs uploadpack.keepalive
      uploadpack.advertisebundleuris uploadpackfilter.*.allow uploadpackfilter.allow
      uploadpackfilter.tree.maxdepth lsrefs.unborn sendpack.sideband tar.umask
      tar.*.remote`,
  },
  {
    why: 'what is checked out, cleaned and made',
    keys: `
      checkout.defaultremote checkout.guess checkout.thresholdforparallelism checkout.workers
      clean.requireforce clone.defaultremotename clone.filtersubmodules clone.rejectshallow init.defaultbranch init.defaultobjectformat
      init.defaultrefformat safe.barerepository safe.directory`,
  },
  {
    why: 'how bad an object is; the others name a file whose lines git may print',
    keys: 'fsck.* fetch.fsck.* receive.fsck.*',
    values: /^(?:error|warn|ignore)$/iu,
  },
  { why: 'other ways to show help start a browser', keys: 'help.format', values: /^(?:man|info)$/u },
  {
    why: 'only windows of git gui and pages of gitweb',
    keys: `
      gui.geometry gui.wmstate gui.blamehistoryctx gui.commitmsgwidth gui.copyblamethreshold gui.diffcontext
      gui.displayuntracked gui.encoding gui.fastcopyblame gui.matchtrackingbranch gui.newbranchtemplate
      gui.pruneduringfetch gui.trustmtime gitweb.owner gitweb.description gitweb.url gitweb.category`,
  },
  {
    why: 'Git LFS: where and how much it fetches',
    keys: `
      lfs.repositoryformatversion lfs.locksverify lfs.*.locksverify lfs.*.access lfs.access lfs.fetchinclude
      lfs.fetchexclude lfs.fetchrecentalways lfs.fetchrecentrefsdays lfs.fetchrecentcommitsdays
      lfs.fetchrecentremoterefs lfs.pruneoffsetdays lfs.pruneremotetocheck lfs.pruneverifyremotealways
      lfs.concurrenttransfers lfs.batch lfs.basictransfersonly lfs.tustransfers lfs.allowincompletepush
      lfs.activitytimeout lfs.dialtimeout lfs.tlstimeout lfs.keepalive lfs.skipdownloaderrors
      lfs.setlockablereadonly lfs.lockignoredfiles lfs.transfer.maxretries lfs.transfer.maxretrydelay
      lfs.transfer.maxverifies lfs.transfer.batchsize`,
  },
  {
    why: 'a server of Git LFS',
    keys: 'lfs.url lfs.pushurl remote.*.lfsurl remote.*.lfspushurl',
    values: FAR_ADDRESS,
  },
  {
    why: 'git svn: what it follows',
    keys: 'svn-remote.*.url svn-remote.*.fetch svn-remote.*.branches svn-remote.*.tags svn-remote.*.reposroot svn-remote.*.uuid svn-remote.*.rewriteroot',
  },
  { why: 'git flow: names of branches', keys: 'gitflow.branch.* gitflow.prefix.*' },
  {
    why: 'git flow: the hooks of the repository, as it writes it itself',
    keys: 'gitflow.path.hooks',
    values: /^(?!.*\.\.).*\/\.git\/hooks$/u,
  },
  // A workspace file could change while the command runs. git lists what the user's own files contain with the rest.
  {
    why: 'files beside the settings, or in the home of the user',
    keys: 'include.path includeif.gitdir:*.path includeif.gitdir/i:*.path',
    values: /^(?:~\/|(?![/~\\]|[A-Za-z]:))(?!.*\.\.)/su,
  },
];

const HARMLESS = GROUPS.map(({ keys, values }) => ({ names: toPattern(keys), values }));

/** Whether a setting is safe: git and its own programs start no other program because of it. */
export function startsNothing(name: string, value: string): boolean {
  return HARMLESS.some(({ names, values }) => names.test(name) && values?.test(value) !== false);
}

function toPattern(keys: string): RegExp {
  const each = keys
    .trim()
    .split(/\s+/u)
    .map((key) => key.replace(/[.+/]/gu, String.raw`\$&`).replaceAll('*', '.+'));
  return new RegExp(`^(?:${each.join('|')})$`, 'su');
}
