import type { InspectorToHost } from '../../contract/inspector';
import { showPage, type PageHost } from '../shared/page-host';
import { Inspector } from './inspector';
import { InspectorContext, InspectorState, type SavedDraft } from './inspector-state';

declare function acquireVsCodeApi(): PageHost<InspectorToHost, readonly SavedDraft[]>;

const inspector = new InspectorState(acquireVsCodeApi());
showPage(
  inspector,
  <InspectorContext.Provider value={inspector}>
    <Inspector />
  </InspectorContext.Provider>,
);
inspector.post({ type: 'ready' });
