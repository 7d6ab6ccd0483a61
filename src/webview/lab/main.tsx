import type { LabToHost } from '../../contract/lab';
import { CallHostContext } from '../shared/calls/call-context';
import { showPage, type PageHost } from '../shared/page-host';
import { Lab } from './lab';
import { LabContext, LabState, type SavedLab } from './lab-state';

declare function acquireVsCodeApi(): PageHost<LabToHost, SavedLab>;

const lab = new LabState(acquireVsCodeApi());
showPage(
  lab,
  <LabContext.Provider value={lab}>
    <CallHostContext.Provider value={lab.run}>
      <Lab />
    </CallHostContext.Provider>
  </LabContext.Provider>,
);
lab.open();
