/** Frequencies in hertz, played one after another. */
const TONES = [660, 880];

/** Duration of each tone in seconds. */
const LENGTH = 0.14;

/** Milliseconds. */
const PATIENCE = 500;

const LOUDNESS = 0.08;

/** Plays a short sound. A window without sound, or without any click so far, stays silent. */
export async function chime(): Promise<void> {
  const audio = new AudioContext();
  try {
    // It may wait forever for a first click.
    await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
    if (audio.state !== 'running') return;
    const volume = audio.createGain();
    volume.gain.value = LOUDNESS;
    volume.connect(audio.destination);
    await Promise.all(TONES.map((tone, at) => play(audio, volume, tone, audio.currentTime + at * LENGTH)));
  } finally {
    await audio.close();
  }
}

function play(audio: AudioContext, volume: GainNode, tone: number, start: number): Promise<void> {
  const oscillator = audio.createOscillator();
  oscillator.frequency.value = tone;
  oscillator.connect(volume);
  oscillator.start(start);
  oscillator.stop(start + LENGTH);
  return new Promise((resolve) => oscillator.addEventListener('ended', () => resolve(), { once: true }));
}
