import { options } from 'preact';
import '../../src/webview/chat/main';

// The chat page, which notes the class of each element that a component describes: those that are drawn anew, whether
// that changes anything on the screen or not.
const drawn: string[] = [];
Object.assign(window, { drawn });

const before = options.vnode?.bind(options);
options.vnode = (vnode) => {
  before?.(vnode);
  if (typeof vnode.type !== 'string' || !('class' in vnode.props)) return;
  if (typeof vnode.props.class === 'string') drawn.push(vnode.props.class.trim());
};
