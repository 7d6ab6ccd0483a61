import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { InspectorState } from './inspector-state';

export const InspectorContext = createContext<InspectorState | undefined>(undefined);

export function useInspector(): InspectorState {
  const inspector = useContext(InspectorContext);
  if (!inspector) throw new Error('This component stands outside the inspector.');
  return inspector;
}
