import { render } from 'preact';
import type { HostToInspector, InspectorToHost } from '../../contract/inspector';
import type { PageHost } from '../shared/page-host';
import { Inspector } from './inspector';
import { InspectorContext, InspectorState, type SavedDraft } from './inspector-state';

declare function acquireVsCodeApi(): PageHost<InspectorToHost, readonly SavedDraft[]>;

const inspector = new InspectorState(acquireVsCodeApi());
window.addEventListener('message', (event: MessageEvent<HostToInspector>) => inspector.receive(event.data));
const root = document.getElementById('root');
if (root) {
  render(
    <InspectorContext.Provider value={inspector}>
      <Inspector />
    </InspectorContext.Provider>,
    root,
  );
}
inspector.post({ type: 'ready' });
