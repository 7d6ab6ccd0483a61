/** By itself, so that who opens it does not carry the texts. */
export const walkthroughId = 'start';

/** The first steps, as VS Code shows them on its welcome page. Each has a picture `media/walkthrough/<id>.svg`. */
export const walkthrough = {
  id: walkthroughId,
  title: 'Get Started with Parley',
  description:
    'A coding agent for any model: you choose how it calls tools, see every call and decide what runs.',
  steps: [
    {
      id: 'model',
      title: 'Pick a model',
      description:
        'Parley begins with a scripted demo that needs no key and no network. Pick one of the models that VS Code offers, one of a server on this machine, or add any other.\n[Select Model](command:parley.selectModel)\n[Look for Models on This Machine](command:parley.findLocalServers)\n[Add a Model](command:parley.addModel)',
      altText: 'A list of models: of VS Code, of a local server, of an endpoint, and the demo.',
      doneBy: [
        'onCommand:parley.selectModel',
        'onCommand:parley.findLocalServers',
        'onCommand:parley.addModel',
      ],
    },
    {
      id: 'message',
      title: 'Send the first message',
      description:
        'Write what you want in the chat. Type @ to take along files, folders, problems or what the terminal shows; with the demo, try `list`.\n[Open Chat](command:parley.focusChat)',
      altText: 'The message box of the chat with a mention of a file.',
      doneBy: ['onCommand:parley.focusChat', 'onView:parley.chat'],
    },
    {
      id: 'calls',
      title: 'See what was parsed',
      description:
        'Every tool call stands in the chat as it was read from the reply. The output channel has the details: protocol, arguments, where in the reply it stood, who decided, and the result.\n[Show Tool Calls](command:parley.showCalls)',
      altText: 'A tool call in the chat and its entry in the output channel.',
      doneBy: ['onCommand:parley.showCalls'],
    },
    {
      id: 'tools',
      title: 'Choose the tools',
      description:
        'Check boxes decide which tools a model is told about. Each says what it does and how many tokens it costs; your choice is kept for the workspace.\n[Show Tools](command:parley.tools.focus)',
      altText: 'The tools as a tree with check boxes.',
      doneBy: ['onCommand:parley.tools.focus', 'onView:parley.tools'],
    },
    {
      id: 'approvals',
      title: 'Decide what runs',
      description:
        'Reading inside the workspace runs by itself; edits, commands and web pages wait for your answer, with a preview of what they would do. In the mode **Manual** every call waits.\n[Approval Settings](command:workbench.action.openSettings?%5B%22parley.approvals%22%5D)',
      altText: 'A call that waits, with its diff and the buttons Run and Reject.',
      doneBy: ['onSettingChanged:parley.approvals.allowCommands', 'onCommand:workbench.action.openSettings'],
    },
    {
      id: 'sandbox',
      title: 'Run commands in a sandbox',
      description:
        'On Linux and WSL2 commands can run in a sandbox: they write only in your workspace, see neither your home folder nor secret files, and have no network. Then they need not ask. The status says whether it works here, and turns it on.\n[Sandbox Status](command:parley.sandboxStatus)',
      altText: 'A command that ran in the sandbox, without a question.',
      doneBy: ['onCommand:parley.sandboxStatus', 'onSettingChanged:parley.sandbox.enabled'],
    },
  ],
} as const;
