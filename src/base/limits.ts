const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Every hard limit. What reaches one stops, and tells the user and the model. */
export const limits = {
  // Read tool. A file above `readWholeFileBytes` is read by range only.
  readLines: 2_000,
  readBytes: 256 * KIB,
  readLineCharacters: 2_000,
  /** A longer result is sent once; repeated reads of the unchanged file get one line. */
  readRepeatBytes: 2 * KIB,
  readWholeFileBytes: 10 * MIB,
  /** One output of a notebook's cell. */
  notebookOutputCharacters: 8_000,

  // Write and edit
  writeFileBytes: MIB,
  patchFiles: 50,
  patchHunks: 2_000,
  /** Files and bytes of a moved or deleted folder that a checkpoint can restore. */
  recordedFiles: 500,
  recordedBytes: 64 * MIB,
  patchMatchingMs: 2 * SECOND,
  /** Wait for VS Code to reload an open document after its file changed. */
  documentFollowsMs: 2 * SECOND,
  /** In a diff that the user applies from the chat. */
  appliedHunks: 200,

  // What a form and the first message know of the project
  projectFiles: 2_000,
  projectTextBytes: 64 * KIB,

  // Tasks in the greeting: file names listed, and how many of these files are read
  starterFiles: 200,
  starterTexts: 6,
  starterTextBytes: 64 * KIB,
  /** Longer paths do not fit into the button. */
  starterPathCharacters: 60,

  // Search
  searchPatternCharacters: 1_000,
  searchTimeoutMs: 20 * SECOND,
  searchMatches: 1_000,
  searchLineCharacters: 500,
  searchResultBytes: 256 * KIB,
  /** One match as ripgrep prints it. Longer ones, from files without line breaks, are dropped. */
  searchEventBytes: 8 * MIB,
  searchErrorCharacters: 4_096,
  /** One `.gitignore` or similar file, in a search without ripgrep. */
  ignoreFileBytes: MIB,

  /** A second look at what a search left out: files listed, files not in UTF-8, and bytes of each that tell its encoding. */
  omittedEntries: 50_000,
  oddFiles: 500,
  encodingBytes: 64 * KIB,

  // List and glob
  listEntries: 5_000,
  listDepth: 20,
  globBraceAlternatives: 1_000,

  // Path arguments
  pathCharacters: 4_096,
  pathLevels: 256,
  pathLinks: 40,
  /** Files in protected folders that are checked for links. */
  protectedEntries: 1_000,
  /** Paths in a folder with more entries are not judged; the call asks. */
  folderEntries: 20_000,
  /** Per judgement. Comparing two names costs 1 step, a file system call 40. */
  judgeSteps: 40_000,
  /** Entries searched for hard links to secret files. */
  secretEntries: 5_000,
  /** The same for installed packages, whose files package managers link to a store. */
  secretEntriesNear: 1_000,
  /** Larger files are classified as secret or not by name alone. */
  judgedTextBytes: 64 * KIB,

  // Sandbox
  /** Entries of writable folders that are scanned before a command starts. */
  sandboxEntries: 100_000,
  /** Cached classifications of file names. */
  sandboxKnownNames: 50_000,
  sandboxProbeMs: 5 * SECOND,
  /** Of stdout and of stderr. */
  sandboxProbeCharacters: 2_000,
  /** For mounting everything the command can see. */
  sandboxMountsMs: 5 * SECOND,
  /** Files removed from the workspace after a command are kept this long. */
  sandboxKeptMs: 7 * 24 * 60 * MINUTE,
  /** File names listed in the result of a command. */
  sandboxNamedFiles: 20,
  /** Old contents kept for undo: of one file, and of all together. */
  sandboxKeptFileBytes: MIB,
  sandboxKeptBytes: 64 * MIB,

  // Command text. A command above a limit always asks.
  commandCharacters: 4_096,
  commandParts: 32,
  /** Matches of one glob pattern, such as `src/*.ts`. */
  commandPatternFiles: 1_000,
  /** Entries below the folders that a command reads recursively. */
  commandFolderEntries: 5_000,
  /** CPU time. */
  commandParseMs: 25,
  /** Longer text is not parsed; deny rules match word by word. */
  commandParseCharacters: 32 * KIB,
  /** In longer text only the words of deny rules are searched. 128 KiB is the kernel's limit for one argument. */
  commandScanCharacters: 128 * KIB,

  // Commands. Output above the spool limit is dropped; at the kill limit the command is killed.
  commandTimeoutMs: 120 * SECOND,
  commandTimeoutMostMs: 600 * SECOND,
  commandHeadBytes: 32 * KIB,
  commandTailBytes: 32 * KIB,
  commandSpoolBytes: 16 * MIB,
  commandKillBytes: 256 * MIB,
  commandsAtOnce: 4,
  /** Finished commands whose output `read_output` can still read. */
  commandLogs: 16,
  /** Per call of `read_output`. */
  commandReadBytes: 64 * KIB,
  /** Longer lines of output are split. */
  commandLineCharacters: 4_096,
  /** Of each startup file of the user's shell, which tells why a command lacks a name. */
  startupFileCharacters: 64 * KIB,
  /** Processes that outlive a command and are named in its result. */
  commandOutlivers: 5,
  /** Between SIGTERM and SIGKILL. */
  commandGraceMs: 3 * SECOND,
  /** After SIGKILL. Processes alive after that are reported as survivors. */
  commandKilledMs: 1_500,
  /** Wait for remaining output after the shell has exited. */
  commandDrainMs: 100,
  /** All queries about the configuration of a repository and its submodules; bytes of one answer. */
  gitAnswerMs: 10 * SECOND,
  gitAnswerBytes: 64 * MIB,
  /** Which files a command of git would print: for one list, and its names. */
  gitNamesMs: 100,
  gitNamesBytes: 4 * MIB,
  gitNames: 5_000,

  // Hooks, and the system's program for notices
  systemNoticeMs: 5 * SECOND,
  hookTimeoutMs: 10 * SECOND,
  /** Of stdout and of stderr. A hook that prints more is killed. */
  hookOutputBytes: 64 * KIB,
  /** Of the result of a call in the hook's input. */
  hookResultCharacters: 64 * KIB,
  hookReasonCharacters: 500,
  hookNoteCharacters: 4_000,

  // Dialog about a call of VS Code's own agent
  dialogCharacters: 2_000,
  dialogLines: 25,

  // Question to the user. The contract with the page limits the answer.
  questionCharacters: 4_000,
  questionOptions: 10,
  questionOptionCharacters: 200,

  // Problems and symbols
  problems: 200,
  symbols: 500,
  /** Wait for language services to check a file. */
  problemsSettleMs: 3 * SECOND,
  /** After an edit: problems listed, and the wait for them. The short wait is for file types no language service has reported on lately. */
  newProblems: 20,
  newProblemsSettleMs: 2 * SECOND,
  newProblemsDoubtMs: 500,
  /** Without a change for this long the problems are final. */
  problemsQuietMs: 300,

  // JavaScript in the isolate
  evalTimeoutMs: 5 * SECOND,
  evalMemoryBytes: 64 * MIB,
  evalStackBytes: 256 * KIB,
  /** Of the printed output, and of the value. */
  evalOutputCharacters: 64 * KIB,

  // Worker thread for hostile text. Node takes these limits in MiB.
  workerHeapMib: 256,
  workerStackMib: 8,
  /** A worker still running this long after its time limit is terminated. */
  workerGraceMs: SECOND,

  // Todo list
  todoItems: 50,
  todoCharacters: 500,

  // Updates of the page
  updatesPerSecond: 30,
  updateBytes: 64 * KIB,
  pageMessageBytes: MIB,
  markdownBytes: 256 * KIB,
  highlightBytes: 64 * KIB,

  // MCP
  mcpServers: 50,
  mcpToolsPerServer: 1_000,
  /** Of one list. */
  mcpListPages: 200,
  /** Wait for prompts and resources. A server that does not answer is used without them. */
  mcpListMs: 10 * SECOND,
  mcpDescriptionBytes: 2 * KIB,
  mcpSchemaBytes: 32 * KIB,
  mcpSchemaDepth: 16,
  /** After references are expanded. */
  mcpSchemaNodes: 5_000,
  /** Larger program files are not hashed; a new modification time counts as a change. */
  mcpProgramBytes: 1024 * MIB,
  /** Words of a definition that are checked for files. */
  mcpProgramWords: 1_000,
  mcpStartTimeoutMs: 30 * SECOND,
  /** First start of an approved definition whose program may download another one. */
  mcpFirstStartTimeoutMs: 10 * MINUTE,
  /** Longest time that a definition may give. */
  mcpTimeoutMostMs: 60 * MINUTE,
  mcpCallTimeoutMs: 60 * SECOND,
  mcpFrameBytes: 4 * MIB,
  /** Reading is throttled to this rate. */
  mcpMessagesPerSecond: 500,
  /** A server that prints more lines that are not messages is stopped. */
  mcpBadLines: 1_000,
  /** Tools with larger definitions are left out. */
  mcpToolBytes: 128 * KIB,
  /** Per result. */
  mcpResultImages: 20,
  /** After this many dismissed forms in a row no more are shown. */
  mcpDismissedForms: 3,
  mcpStderrBytes: 64 * KIB,
  mcpResultTextBytes: 256 * KIB,
  mcpResultImageBytes: 5 * MIB,
  mcpRestarts: 3,
  mcpRestartWindowMs: 5 * MINUTE,
  /** Doubles with each restart. */
  mcpRestartDelayMs: SECOND,
  /** For a server to exit by itself before it is killed. */
  mcpGoodbyeMs: SECOND,
  /** A message waits this long for servers that are starting. */
  mcpRunWaitsMs: 10 * SECOND,
  /** Per server: prompts, and resources offered as mentions. */
  mcpPrompts: 64,
  mcpResources: 1_000,

  /** Command that prints an API key. */
  keyCommandMs: 30 * SECOND,
  keyCommandBytes: 64 * KIB,

  // Import of models. Cline's file also holds all of its tasks.
  importFileBytes: 8 * MIB,
  importDepth: 100,

  // Models: list of a remote service, and the stream of a reply
  modelListMs: 10 * SECOND,
  modelConnectTimeoutMs: 30 * SECOND,
  modelFirstEventTimeoutMs: 120 * SECOND,
  modelIdleTimeoutMs: 90 * SECOND,
  modelTotalTimeoutMs: 30 * MINUTE,
  modelEventBytes: 4 * MIB,
  modelReplyBytes: 8 * MIB,
  toolArgumentsBytes: MIB,
  toolArgumentsDepth: 32,

  // Retry. A longer `Retry-After` asks the user.
  retryTries: 5,
  retryFirstDelayMs: SECOND,
  retryDelayFactor: 2,
  retryDelayMostMs: 60 * SECOND,
  retryAfterMostMs: 120 * SECOND,
  retryTotalMs: 10 * MINUTE,

  // Agent loop, counted from the last message of the user
  agentTurns: 50,
  agentIdenticalCalls: 3,
  agentErrorsInARow: 10,

  // Calls copied from tool results. A line there may have a path, a line number and markup in front of it.
  echoPrefixCharacters: 4_352,
  /** Search effort for one call in one text. Past that the call counts as copied. */
  echoStepsPerCharacter: 16,
  echoSteps: 1_000_000,

  // Session files. Larger records are stored by hash; larger files continue in the next segment.
  sessionRecordBytes: MIB,
  sessionSegmentBytes: 64 * MIB,

  // Ignore files for agents. A larger one names everything.
  agentIgnoreBytes: 256 * KIB,
  agentIgnoreRules: 1_000,

  // Instructions
  instructionFileBytes: 32 * KIB,
  instructionsBytes: 64 * KIB,
  /** A rules file is left out rather than cut to less than this. */
  rulesLeastBytes: KIB,
  skillDescriptionCharacters: 1_024,
  skillArgumentCharacters: 10_000,
  /** Per location, such as `~/.agents/skills`. */
  skillFolders: 200,
  mcpConfigBytes: 256 * KIB,
  /** Problems reported per file. */
  mcpConfigProblems: 20,

  // Attachments of one message. Images are also limited by `imageBytes` and `imagePixels`.
  messageMentions: 20,
  attachedFileBytes: 256 * KIB,
  attachedFolderDepth: 2,
  attachedFolderEntries: 500,
  attachedProblems: 200,
  attachedProblemCharacters: 500,
  attachedTerminalBytes: 32 * KIB,
  attachedSelectionBytes: 16 * KIB,
  attachedEditors: 20,
  /** All texts, and all images, of one message together. */
  attachedTextBytes: 512 * KIB,
  attachedImages: 5,
  attachedImageBytes: 10 * MIB,
  /** Pasted images of unsent messages, and how long they are kept for a window that never reopens. */
  keptImages: 20,
  keptImageMs: 30 * 24 * 60 * MINUTE,
  /** For resolving all mentions of one message. */
  attachedSearchMs: 20 * SECOND,

  // Completion of mentions
  completionItems: 20,
  /** Matches that are ranked. */
  completionCandidates: 1_000,

  // Lab. Replies are parsed in a worker thread.
  labRuns: 10,
  /** Failed exams whose replies can be opened. */
  doctorFaults: 100,
  labParseMs: 60 * SECOND,
  labParseHeapMiB: 1_024,
  /** Longer edited replies are parsed in the worker, too. */
  editedInPlaceCharacters: 50_000,
  /** Longer replies are parsed once, not again in several chunk sizes for comparison. */
  labComparedCharacters: 20_000,
  /** Matching a reply against its grammar: steps, and the continuations shown. */
  labFormSteps: 10_000_000,
  labFormTexts: 12,
  labFormTextCharacters: 60,
  /** Displayed part of one message to the model. */
  labMessageCharacters: 64 * KIB,

  // Fetch
  fetchBytes: 2 * MIB,
  fetchRedirects: 5,
  fetchTimeoutMs: 20 * SECOND,
  urlCharacters: 2_048,
  /** Addresses of a host name that are tried. */
  fetchAddresses: 3,
  /** Start of an HTML page that is searched for its encoding. */
  fetchEncodingBytes: KIB,
  /** Conversion to readable text, in a worker thread. */
  fetchHtmlCharacters: MIB,
  fetchConvertMs: 5 * SECOND,
  /** Sent to the model. */
  fetchResultCharacters: 64 * KIB,
  imageBytes: 5 * MIB,
  imagePixels: 8_000,

  /** Longest input of a regular expression, unless lint proves the expression linear. */
  regexInputBytes: 64 * KIB,

  // Gateway
  gatewayRequestBytes: 32 * MIB,
  /** Of lists and objects in a request. Nothing that clients send comes near. */
  gatewayRequestDepth: 200,
  /** One reply without streaming that is passed on. */
  gatewayReplyBytes: 32 * MIB,
  gatewayRequestsAtOnce: 8,
  /** After this silence the gateway starts the response, to keep the client from giving up. */
  gatewaySilenceMs: 9 * SECOND,
  /** Requests listed in the lab, and characters of their replies. */
  gatewayRequestsKept: 50,
  gatewayCharsKept: 8 * MIB,
} as const;
