/** A separate file, so that other importers do not load the texts. */
export const walkthroughId = 'start';

/** The first steps, as VS Code shows them on its Welcome page. Each has a picture `media/walkthrough/<id>.svg`. */
export const walkthrough = {
  id: walkthroughId,
  title: 'Get Started with Parley',
  description:
    'A coding agent for any model: choose how it calls tools, see every call and decide what runs.',
  steps: [
    {
      id: 'model',
      title: 'Pick a model',
      description:
        'Parley starts with a scripted demo that needs no key and no network. Select a model from VS Code or from a server on this machine, or add any other model.\n[Select Model](command:parley.selectModel)\n[Look for Models on This Machine](command:parley.findLocalServers)\n[Add a Model](command:parley.addModel)',
      altText: 'A list of models: from VS Code, from a local server, from an endpoint, and the demo.',
      doneBy: [
        'onCommand:parley.selectModel',
        'onCommand:parley.findLocalServers',
        'onCommand:parley.addModel',
      ],
    },
    {
      id: 'message',
      title: 'Send your first message',
      description:
        'Describe a task in the chat. Type @ to attach files, folders, problems or terminal output. With the demo, try `list`.\n[Open Chat](command:parley.focusChat)',
      altText: 'The message box of the chat with a file mention.',
      doneBy: ['onCommand:parley.focusChat', 'onView:parley.chat'],
    },
    {
      id: 'calls',
      title: 'See what was parsed',
      description:
        'The chat shows every tool call as it was parsed from the reply. The output channel has the details: protocol, arguments, position in the reply, who decided, and the result.\n[Show Tool Calls](command:parley.showCalls)',
      altText: 'A tool call in the chat and its entry in the output channel.',
      doneBy: ['onCommand:parley.showCalls'],
    },
    {
      id: 'tools',
      title: 'Choose the tools',
      description:
        'Check boxes decide which tools are offered to models. Each tool shows what it does and how many tokens it costs. Your choice is saved for the workspace.\n[Show Tools](command:parley.tools.focus)',
      altText: 'The tools as a tree with check boxes.',
      doneBy: ['onCommand:parley.tools.focus', 'onView:parley.tools'],
    },
    {
      id: 'approvals',
      title: 'Decide what runs',
      description:
        'Reading inside the workspace runs without asking. Edits, commands and web pages wait for your approval, with a preview of what they would do. In **Manual** mode every call waits.\n[Approval Settings](command:workbench.action.openSettings?%5B%22parley.approvals%22%5D)',
      altText: 'A waiting call with its diff and the buttons Run and Reject.',
      doneBy: ['onSettingChanged:parley.approvals.allowCommands', 'onCommand:workbench.action.openSettings'],
    },
    {
      id: 'sandbox',
      title: 'Run commands in a sandbox',
      description:
        'On Linux and WSL2, commands can run in a sandbox: they write only in your workspace, cannot see your home folder or secret files, and have no network. They can then run without asking. Sandbox Status shows whether it works here and turns it on.\n[Sandbox Status](command:parley.sandboxStatus)',
      altText: 'A command that ran in the sandbox without asking.',
      doneBy: ['onCommand:parley.sandboxStatus', 'onSettingChanged:parley.sandbox.enabled'],
    },
  ],
} as const;
