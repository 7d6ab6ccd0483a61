import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { LabState } from './lab-state';

export const LabContext = createContext<LabState | undefined>(undefined);

export function useLab(): LabState {
  const lab = useContext(LabContext);
  if (!lab) throw new Error('This component stands outside the lab.');
  return lab;
}
