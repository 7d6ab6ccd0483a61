import { options } from 'preact';
import '../../../src/webview/chat/main';

// The chat page, recording the class of each element that a component renders: those that are redrawn, whether or not
// the screen changes.
const drawn: string[] = [];
Object.assign(window, { drawn });

const before = options.vnode?.bind(options);
options.vnode = (vnode) => {
  before?.(vnode);
  if (typeof vnode.type !== 'string' || !('class' in vnode.props)) return;
  if (typeof vnode.props.class === 'string') drawn.push(vnode.props.class.trim());
};
