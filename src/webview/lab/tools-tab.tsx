import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { LabToolset } from '../../contract/lab-tools';
import { useLab } from './lab-context';

/** Every tool of the window. */
export function ToolsTab(): JSX.Element {
  const lab = useLab();
  const [toolsets, setToolsets] = useState<readonly LabToolset[]>([]);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const answer = await lab.request<'list-tools'>({ type: 'list-tools' });
      if (answer.ok) setToolsets(answer.value);
    };
    void load();
    const listening = lab.onNews(({ type }) => {
      if (type === 'tools-changed') void load();
    });
    return () => listening.dispose();
  }, [lab]);
  return (
    <ul>
      {toolsets.flatMap(({ tools }) => tools.map(({ name }) => <li key={name}>{visibleText(name)}</li>))}
    </ul>
  );
}
