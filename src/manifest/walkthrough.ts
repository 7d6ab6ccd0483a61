import { docsLink } from './docs';
import { walkthroughId } from './views';

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
        'Parley starts with a scripted demo that needs no key and no network. Select a model from VS Code or from a server on this machine, or add any other model.\n[Select Model](command:parley.selectModel)\n[Look for Models on This Machine](command:parley.findLocalServers)\n[Add a Model](command:parley.addModel)\nMore in [Models](' +
        `${docsLink('models')}).`,
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
        'Describe a task in the chat. Type @ to attach files, folders, problems or terminal output. With the demo, try `list`.\n[Open Chat](command:parley.focusChat)\nMore in [Chat](' +
        `${docsLink('chat')}).`,
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
      id: 'protocol',
      title: 'Let the model call tools its way',
      description:
        'A protocol is the form in which a model writes its calls. **Auto** picks one by the name of the model. If calls are not recognized, the doctor measures which protocol the model speaks best.\n[Find Best Protocol](command:parley.findProtocol)\n[Select Protocol](command:parley.selectProtocol)\nMore in ' +
        `[Protocols](${docsLink('protocols')}) and [Doctor](${docsLink('doctor/README')}).`,
      altText: 'A list of protocols with their results for a model; the best one is marked.',
      doneBy: ['onCommand:parley.findProtocol', 'onCommand:parley.selectProtocol'],
    },
    {
      id: 'tools',
      title: 'Choose the tools',
      description:
        'Check boxes decide which tools are offered to models. Each tool shows what it does and how many tokens it costs. Your choice is saved for the workspace.\n[Show Tools](command:parley.tools.focus)\nMore in [Tools](' +
        `${docsLink('tools')}) and [MCP servers](${docsLink('mcp')}).`,
      altText: 'The tools as a tree with check boxes.',
      doneBy: ['onCommand:parley.tools.focus', 'onView:parley.tools'],
    },
    {
      id: 'approvals',
      title: 'Decide what runs',
      description:
        'Reading inside the workspace runs without asking. Edits, commands and web pages wait for your approval, with a preview of what they would do. In **Manual** mode every call waits.\n[Approval Settings](command:workbench.action.openSettings?%5B%22parley.approvals%22%5D)\nMore in [Approvals](' +
        `${docsLink('approvals')}).`,
      altText: 'A waiting call with its diff and the buttons Run and Reject.',
      doneBy: ['onSettingChanged:parley.approvals.allowCommands', 'onCommand:workbench.action.openSettings'],
    },
    {
      id: 'sandbox',
      title: 'Run commands in a sandbox',
      description:
        'On Linux and WSL2, commands can run in a sandbox: they write only in your workspace, cannot see your home folder or secret files, and have no network. They can then run without asking. Sandbox Status shows whether it works here and turns it on.\n[Sandbox Status](command:parley.sandboxStatus)\nMore in [Sandbox](' +
        `${docsLink('sandbox')}).`,
      altText: 'A command that ran in the sandbox without asking.',
      doneBy: ['onCommand:parley.sandboxStatus', 'onSettingChanged:parley.sandbox.enabled'],
    },
    {
      id: 'gateway',
      title: 'Use your model in other programs',
      description:
        'The gateway gives other agents on this machine, such as Codex, Claude Code and Cline, native tool calls from any model you have added. It shows an address and a token to enter there.\n[Share This Model](command:parley.startGateway)\nMore in [Gateway](' +
        `${docsLink('gateway')}).`,
      altText: 'Other programs that use a model through the gateway.',
      doneBy: ['onCommand:parley.startGateway'],
    },
  ],
} as const;
