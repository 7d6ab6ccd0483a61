import { render } from 'preact';
import type { HostToLab, LabToHost } from '../../contract/lab';
import { CallHostContext } from '../shared/calls/call-context';
import type { PageHost } from '../shared/page-host';
import { Lab } from './lab';
import { LabContext, LabState, type SavedLab } from './lab-state';

declare function acquireVsCodeApi(): PageHost<LabToHost, SavedLab>;

const lab = new LabState(acquireVsCodeApi());
window.addEventListener('message', (event: MessageEvent<HostToLab>) => lab.receive(event.data));
const root = document.getElementById('root');
if (root) {
  render(
    <LabContext.Provider value={lab}>
      <CallHostContext.Provider value={lab.run}>
        <Lab />
      </CallHostContext.Provider>
    </LabContext.Provider>,
    root,
  );
}
lab.open();
