// The least work that a browser does for a piece: the text of one element with separate layout grows.
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
    // The text between the measured places arrives in one piece.
    text.appendData(data.slice(-16));
    const box = root.closest('.log');
    if (box) box.scrollTop = box.scrollHeight;
  });
}
