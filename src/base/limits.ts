const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Every hard limit of Parley. At a limit a part stops and says so, to the user and to the model. */
export const limits = {
  // Read tool. A larger file is read by range only.
  readLines: 2_000,
  readBytes: 256 * KIB,
  /** A longer result is not given twice in a row while the file stays the same. */
  readRepeatBytes: 2 * KIB,
  readWholeFileBytes: 10 * MIB,

  // Write and edit
  writeFileBytes: MIB,
  patchFiles: 50,
  patchHunks: 2_000,
  /** Of a folder that is moved or deleted; a fuller one cannot be put back. */
  recordedFiles: 500,
  /** Of all its files together. */
  recordedBytes: 64 * MIB,
  patchMatchingMs: 2 * SECOND,
  /** Of a diff that the user applies. */
  appliedHunks: 200,

  // Tasks that the greeting offers
  /** Names of files that are looked at. */
  starterFiles: 200,
  /** Of these, files whose text is. */
  starterTexts: 6,
  starterTextBytes: 64 * KIB,
  /** A longer path would not fit into the button. */
  starterPathCharacters: 60,

  // Search
  searchPatternCharacters: 1_000,
  searchTimeoutMs: 20 * SECOND,
  searchMatches: 1_000,
  searchLineCharacters: 500,
  searchResultBytes: 256 * KIB,
  /** One match as ripgrep prints it. A longer one is in a file without line breaks, and is left out. */
  searchEventBytes: 8 * MIB,
  searchErrorCharacters: 4_096,
  /** Where ripgrep does not search: a larger file is left out where a match may span lines. */
  searchWholeFileBytes: 32 * MIB,
  /** Of one file such as `.gitignore`, where ripgrep does not read it. */
  ignoreFileBytes: MIB,
  /** Paths that are told of together, and how long one waits for others. */
  searchPathsAtOnce: 1_000,
  searchPathsEveryMs: 100,

  // List and glob
  listEntries: 5_000,
  listDepth: 20,
  globBraceAlternatives: 1_000,

  /** An open document follows a change of its file with a delay. */
  documentFollowsMs: 2 * SECOND,

  // Path arguments
  pathCharacters: 4_096,
  pathLevels: 256,
  pathLinks: 40,
  /** Files in protected folders that are looked at for links. */
  protectedEntries: 1_000,
  /** What a folder may hold for anything in it to be judged. */
  folderEntries: 20_000,
  /** Of one judgement: a comparison of names is a step, a look at the file system forty. */
  judgeSteps: 40_000,
  /** Files and folders among which other names of secret files are looked for. */
  secretEntries: 5_000,
  /** The same for files of installed packages, which package managers link to a store. */
  secretEntriesNear: 1_000,
  /** The largest file whose content says whether it may be read. */
  judgedTextBytes: 64 * KIB,

  // Sandbox
  /** Of the folders that a command may write to, looked at before it starts. */
  sandboxEntries: 100_000,
  /** Of which it is remembered what their names say. */
  sandboxKnownNames: 50_000,
  sandboxProbeMs: 5 * SECOND,
  /** Of what the probe prints, each of both outputs. */
  sandboxProbeCharacters: 2_000,
  /** Until all that a command sees is mounted. */
  sandboxMountsMs: 5 * SECOND,
  /** What was taken away after a command can be looked at for so long. */
  sandboxKeptMs: 7 * 24 * 60 * MINUTE,
  /** What a command says after its end about files is cut here. */
  sandboxNamedFiles: 20,
  /** So much of one file, and of all together, is kept so that it can be put back. */
  sandboxKeptFileBytes: MIB,
  sandboxKeptBytes: 64 * MIB,

  // Command text, as far as it may run unasked
  commandCharacters: 4_096,
  commandParts: 32,
  /** Files that one pattern (`src/*.ts`) may stand for. */
  commandPatternFiles: 1_000,
  /** Looked at below the folders that one command reads whole. */
  commandFolderEntries: 5_000,
  /** Of processor time. */
  commandParseMs: 25,
  /** Longer text is searched for deny rules word by word, without a parse. */
  commandParseCharacters: 32 * KIB,
  /** Longer text is searched for the words of deny rules only. No system takes so much as one argument. */
  commandScanCharacters: 128 * KIB,

  // Command. After the spool limit output is read and dropped; at the kill limit the command ends.
  commandTimeoutMs: 120 * SECOND,
  commandTimeoutMostMs: 600 * SECOND,
  commandHeadBytes: 32 * KIB,
  commandTailBytes: 32 * KIB,
  commandSpoolBytes: 16 * MIB,
  commandKillBytes: 256 * MIB,
  commandsAtOnce: 4,
  /** Ended commands whose output can still be read. */
  commandLogs: 16,
  /** Of one call of `read_output`. */
  commandReadBytes: 64 * KIB,
  /** A longer line of output counts as several. */
  commandLineCharacters: 4_096,
  /** Between TERM and KILL. */
  commandGraceMs: 3 * SECOND,
  /** After KILL; what is there then is called a survivor. */
  commandKilledMs: 1_500,
  /** What a shell that has ended printed may still be on its way. */
  commandDrainMs: 100,
  /** Asking git about the settings of a repository and its submodules, all together; and one answer. */
  gitAnswerMs: 10 * SECOND,
  gitAnswerBytes: 64 * MIB,

  // Hooks of the user
  hookTimeoutMs: 10 * SECOND,
  /** Of what one prints, each of both outputs; who prints more is ended. */
  hookOutputBytes: 64 * KIB,
  /** Of a result, as a hook is told it. */
  hookResultCharacters: 64 * KIB,
  hookReasonCharacters: 500,
  hookNoteCharacters: 4_000,

  /** A program of the system that shows a notice. */
  systemNoticeMs: 5 * SECOND,

  // A dialog about a call of another agent
  dialogCharacters: 2_000,
  dialogLines: 25,

  // A question to the user. The contract with the page limits the answer.
  questionCharacters: 4_000,
  questionOptions: 10,
  questionOptionCharacters: 200,

  // What the editor knows of code
  problems: 200,
  symbols: 500,
  /** So long a language service may take to look at a file before its problems are taken as they are. */
  problemsSettleMs: 3 * SECOND,
  /** After an edit: shown, waited for, and waited for where no service has said anything yet, or lately, about files of that kind. */
  newProblems: 20,
  newProblemsSettleMs: 2 * SECOND,
  newProblemsDoubtMs: 500,
  /** It says nothing new for so long: then it is taken to be done. */
  problemsQuietMs: 300,

  // JavaScript in the isolate
  evalTimeoutMs: 5 * SECOND,
  evalMemoryBytes: 64 * MIB,
  evalStackBytes: 256 * KIB,
  /** Of what is printed, and of the value. */
  evalOutputCharacters: 64 * KIB,

  // A thread of its own for work on text that may be hostile. Mebibytes, because Node counts so.
  workerHeapMib: 256,
  workerStackMib: 8,
  /** What should have ended by itself is ended from outside. */
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
  mcpServers: 10,
  mcpToolsPerServer: 64,
  mcpDescriptionBytes: 2 * KIB,
  mcpSchemaBytes: 32 * KIB,
  mcpSchemaDepth: 16,
  /** Of a schema whose references are put in. */
  mcpSchemaNodes: 5_000,
  /** The largest file of a program whose content is read; of a larger one any touch counts as a change. */
  mcpProgramBytes: 1024 * MIB,
  /** Of a definition, among which files are looked for. */
  mcpProgramWords: 1_000,
  mcpStartTimeoutMs: 30 * SECOND,
  mcpCallTimeoutMs: 60 * SECOND,
  mcpFrameBytes: 4 * MIB,
  /** Who sends more is read no faster. */
  mcpMessagesPerSecond: 500,
  /** Who writes more lines that are no messages is ended. */
  mcpBadLines: 1_000,
  /** Of all that a server says of one tool; a larger one is left out. */
  mcpToolBytes: 128 * KIB,
  /** Of one answer. */
  mcpResultImages: 20,
  /** So many forms in a row may be dismissed before no more are shown. */
  mcpDismissedForms: 3,
  mcpStderrBytes: 64 * KIB,
  mcpResultTextBytes: 256 * KIB,
  mcpResultImageBytes: 5 * MIB,
  mcpRestarts: 3,
  mcpRestartWindowMs: 5 * MINUTE,
  /** Before the first restart; twice as long before each further one. */
  mcpRestartDelayMs: SECOND,
  /** What is asked to go may take so long before it is ended. */
  mcpGoodbyeMs: SECOND,
  /** A message waits so long for servers that are starting. */
  mcpRunWaitsMs: 10 * SECOND,
  /** Of one server: prompts, and resources that are offered as mentions. */
  mcpPrompts: 64,
  mcpResources: 1_000,

  /** A command whose output is a key. */
  keyCommandMs: 30 * SECOND,
  keyCommandBytes: 64 * KIB,

  /** Of a file of another program whose models are taken over. Cline's has all its tasks in it. */
  importFileBytes: 8 * MIB,
  /** What a file holds may be nested so deep. */
  importDepth: 100,

  /** The list of models of a service on the internet, while the user waits for it. */
  modelListMs: 10 * SECOND,

  // Model stream
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

  // Agent loop, until the user says something
  agentTurns: 50,
  agentIdenticalCalls: 3,
  agentErrorsInARow: 10,

  // Calls that the model repeats from what it was shown. In front of a line there may be a path, a number and marks.
  echoPrefixCharacters: 4_352,
  /** What looking for one call may take in one text; past that it counts as found. */
  echoStepsPerCharacter: 16,
  echoSteps: 1_000_000,

  // Session files. A larger record is stored by its hash; a larger file continues in the next segment.
  sessionRecordBytes: MIB,
  sessionSegmentBytes: 64 * MIB,

  // Instructions
  instructionFileBytes: 32 * KIB,
  instructionsBytes: 64 * KIB,
  /** Less of a rules file would be the note that it was cut and little else. */
  rulesLeastBytes: KIB,
  skillDescriptionCharacters: 1_024,
  skillArgumentCharacters: 10_000,
  /** In one place, such as `~/.agents/skills`. */
  skillFolders: 200,
  mcpConfigBytes: 256 * KIB,
  /** That are told of one file. */
  mcpConfigProblems: 20,

  // What goes along with a message. Images are limited by `imageBytes` and `imagePixels`.
  messageMentions: 20,
  attachedFileBytes: 256 * KIB,
  attachedFolderDepth: 2,
  attachedFolderEntries: 500,
  attachedProblems: 200,
  attachedProblemCharacters: 500,
  attachedTerminalBytes: 32 * KIB,
  attachedSelectionBytes: 16 * KIB,
  attachedEditors: 20,
  /** Of all attached texts of one message together. */
  attachedTextBytes: 512 * KIB,
  attachedImages: 5,
  /** Of all images of one message together. */
  attachedImageBytes: 10 * MIB,
  /** Pasted for messages that have not gone, over a reload of the window; and how long for one that never comes back. */
  keptImages: 20,
  keptImageMs: 30 * 24 * 60 * MINUTE,
  /** Looking for what the mentions of one message name, all together. */
  attachedSearchMs: 20 * SECOND,

  // Completion of mentions
  completionItems: 20,
  /** Matches that are compared with each other. */
  completionCandidates: 1_000,

  // Replies that are looked into. That takes a thread of its own, for so long and with so much memory at most.
  labParseMs: 60 * SECOND,
  labParseHeapMiB: 1_024,
  /** A longer one that is mended is read in that thread, too. */
  mendedInPlaceCharacters: 50_000,
  /** A longer one is read once, not in several cuts that are compared. */
  labComparedCharacters: 20_000,
  /** Of following a reply through the grammar of its form, and what is shown of what may come next. */
  labFormSteps: 10_000_000,
  labFormTexts: 12,
  labFormTextCharacters: 60,
  /** Shown of one message to the model. */
  labMessageCharacters: 64 * KIB,

  // Fetch
  fetchBytes: 2 * MIB,
  fetchRedirects: 5,
  fetchTimeoutMs: 20 * SECOND,
  urlCharacters: 2_048,
  /** Of a name that has many. */
  fetchAddresses: 3,
  /** Of HTML, in which it may name its encoding. */
  fetchEncodingBytes: KIB,
  /** What is turned into readable text; that takes a thread of its own, for so long at most. */
  fetchHtmlCharacters: MIB,
  fetchConvertMs: 5 * SECOND,
  /** Shown to the model. */
  fetchResultCharacters: 64 * KIB,
  imageBytes: 5 * MIB,
  imagePixels: 8_000,

  /** Longest text one of our own regular expressions may meet, unless lint proves it linear. */
  regexInputBytes: 64 * KIB,

  // Lab
  labRuns: 10,
  /** Exams whose replies can be looked into. */
  doctorFaults: 100,

  // Gateway
  gatewayRequestBytes: 32 * MIB,
  gatewayRequestsAtOnce: 8,
  /** A client is told nothing for so long; then that its request is under way. */
  gatewaySilenceMs: 9 * SECOND,
  /** Shown in the lab. The characters are those of replies. */
  gatewayRequestsKept: 50,
  gatewayCharsKept: 8 * MIB,
} as const;
