// The least that a browser does for a piece: the text of one element grows, which is laid out on its own.
const root = document.querySelector<HTMLElement>('.markdown');
if (root) {
  const element = document.createElement('div');
  element.style.cssText = 'contain: strict; height: 100px';
  root.replaceChildren(element);
  let text = document.createTextNode('');
  element.append(text);
  addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (text.length > 56) {
      const next = document.createTextNode('');
      text.replaceWith(next);
      text = next;
    }
    // What lies between the measured places comes in one piece.
    text.appendData(data.slice(-16));
    const box = root.closest('.log');
    if (box) box.scrollTop = box.scrollHeight;
  });
}
