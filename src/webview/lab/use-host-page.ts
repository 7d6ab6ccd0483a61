import { useEffect, useState } from 'preact/hooks';
import type { HostToLab, LabAnswers } from '../../contract/lab';
import { useLab, type TabId } from './lab-state';

type PageType = 'inspected-reply' | 'sent-request' | 'gateway-state' | 'doctor-state';

interface ShownPage<Type extends PageType> {
  readonly page?: LabAnswers[Type];
  readonly problem?: string;
}

/** A tab with content from the host: requested when it is shown, and again after changes, one request at a time. */
export function useHostPage<Type extends PageType>(
  tab: TabId,
  type: Type,
  change: Exclude<HostToLab['type'], 'answer'>,
): ShownPage<Type> {
  const lab = useLab();
  const isShown = lab.tab.value === tab;
  const [shown, setShown] = useState<ShownPage<Type>>({});
  useEffect(() => {
    if (!isShown) return undefined;
    let isAsking = false;
    let isStale = false;
    const ask = async (): Promise<void> => {
      isStale = isAsking;
      if (isAsking) return;
      isAsking = true;
      const answer = await lab.request<PageType>({ type });
      isAsking = false;
      // SAFETY: the host answers such a request in this way.
      setShown(answer.ok ? { page: answer.value as LabAnswers[Type] } : { problem: answer.problem });
      if (isStale) void ask();
    };
    void ask();
    const listening = lab.onNews((news) => {
      if (news.type === change) void ask();
    });
    return () => listening.dispose();
  }, [lab, isShown]);
  return shown;
}
