import type { Files, Place } from '../../tools/ports/files';
import { bytePath, isBelow, type BytePath } from './byte-paths';

/** Places that Parley itself writes, as the user has approved, while commands run in the sandbox. */
export class OwnWrites {
  private readonly places = new Set<BytePath>();
  private running = 0;

  /** Returns the same files; a place is recorded before it is written. */
  recording(files: Files): Files {
    return {
      ...files,
      writeText: (place, text, base) => {
        this.add(place);
        return files.writeText(place, text, base);
      },
      put: (place, content, base) => {
        this.add(place);
        return files.put(place, content, base);
      },
      move: (places) => {
        this.add(places.to);
        return files.move(places);
      },
    };
  }

  /** Records until the returned function is called. */
  begin(): () => void {
    this.running += 1;
    return () => {
      this.running -= 1;
      if (this.running === 0) this.places.clear();
    };
  }

  /** Whether Parley has written this place, or one below it. */
  readonly has = (at: BytePath): boolean => [...this.places].some((place) => isBelow(place, at));

  private add({ resolved }: Place): void {
    if (this.running > 0) this.places.add(bytePath(resolved));
  }
}
