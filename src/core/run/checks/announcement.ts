/** Characters at the end of a reply that are examined. A longer last sentence promises more than a call. */
const LOOKED_AT = 400;

/** Words before a promise: `Now`, `Okay,`, `First of all,`. */
const LEAD = String.raw`(?:[-*>#\s]*)(?:(?:[\p{L}’']+[,!:]?\s+){0,3}?)`;

const ENGLISH_ACTS =
  'read|look|check|open|search|list|inspect|examine|run|execute|create|write|edit|update|fix|add|modify|view|find|start|begin|try|call|use|explore|review|analy[sz]e|investigate|implement|change|test|verify|continue|proceed|see|apply|replace|delete|remove|move|rename|fetch|install|build|scan|retrieve|load|make|get|grep|locate|gather|take';

/**
 * How a sentence begins that announces the next step, one pattern per language. It must contain a verb for what tools
 * do: "I will remember that" does not announce a call.
 */
const PROMISES: readonly RegExp[] = [
  // English
  new RegExp(
    String.raw`^${LEAD}(?:i['’]?ll|i will|i['’]?m going to|i am going to|i need to|i['’]?m about to|let me|let['’]s|let us|we['’]?ll|we will)\s+(?:(?:now|first|also|just|next|then|quickly|go ahead and|start by|begin by|need to|have to)\s+){0,2}(?:${ENGLISH_ACTS})(?:ing)?\b`,
    'iu',
  ),
  /^(?:now|next|first|okay|ok)[,:]?\s+(?:reading|checking|opening|searching|running|looking|listing|inspecting)\b/iu,
  // Chinese
  /^.{0,12}?(?:我|让我|我们|咱们|讓我|我們)(?:[^，。！？]{0,6}?)(?:读取|讀取|读一下|查看|检查|檢查|打开|打開|搜索|查找|列出|运行|執行|执行|创建|建立|编写|写入|修改|编辑|更新|修复|添加|分析|调用|使用|继续|开始|测试|验证|看看|看一下|来看|先看|删除|重命名|浏览|確認|确认一下|获取)/u,
  /^(?:接下来|現在|现在|下面|首先|然后|下一步)[，,]?(?:将|会|要|来|先|开始)?(?:读取|查看|检查|打开|搜索|列出|运行|执行|创建|编写|修改|编辑|更新|修复|分析|调用|测试|验证)/u,
  // German
  /^(?:[\p{L}]+[,!]?\s+){0,2}?(?:ich\s+(?:werde|muss)|lass(?:en sie)?\s+mich|ich\s+(?:lese|prüfe|öffne|suche|sehe mir|schaue|führe|erstelle|ändere|bearbeite))\b.*(?:lese|prüfe|überprüf|öffne|such|anseh|schaue|ausführ|erstell|änder|bearbeit|schreib|test|list|sehe)/iu,
  /^(?:jetzt|nun|zuerst|als nächstes|zunächst|dann)\s+(?:werde ich|lese ich|prüfe ich|öffne ich|suche ich|sehe ich|schaue ich|führe ich|erstelle ich|ändere ich|bearbeite ich)\b/iu,
  // French
  /^(?:[\p{L}]+[,!]?\s+){0,2}?(?:je vais|laisse[zs]?[- ]moi|nous allons)\s+(?:(?:maintenant|d['’]abord|ensuite)\s+)?(?:lire|vérifier|regarder|ouvrir|chercher|rechercher|exécuter|lancer|créer|modifier|écrire|lister|examiner|analyser|tester|corriger|consulter|commencer|utiliser|explorer)/iu,
  // Spanish and Portuguese
  /^(?:[\p{L}]+[,!]?\s+){0,2}?(?:voy a|vamos a|déj[ea]me|permíteme|vou|vamos|deixe-me|deixa-me)\s+(?:(?:ahora|primero|agora|primeiro)\s+)?(?:leer|ler|revisar|comprobar|verificar|mirar|abrir|buscar|ejecutar|executar|crear|criar|modificar|editar|escribir|escrever|listar|examinar|analizar|analisar|probar|testar|corregir|corrigir|usar|explorar|empezar|começar)/iu,
  // Italian
  /^(?:[\p{L}]+[,!]?\s+){0,2}?(?:vado a|lasciami|fammi|ora|adesso)\s+(?:leggere|leggo|controllare|controllo|aprire|apro|cercare|cerco|eseguire|eseguo|verificare|verifico|guardare|creare|creo|modificare|modifico)/iu,
  // Russian
  /^(?:[\p{L}]+[,!]?\s+){0,2}?(?:я|давайте|сейчас|теперь)\s+(?:(?:я|сейчас|теперь|сначала)\s+)?(?:прочита(?:ю|ем)|прочту|провер(?:ю|им)|посмотр(?:ю|им)|откро(?:ю|ем)|найду|поищ(?:у|ем)|запущ?у|запустим|созда(?:м|дим)|измен(?:ю|им)|напиш(?:у|ем)|выполн(?:ю|им)|исправ(?:лю|им)|изуч(?:у|им))/iu,
  // Japanese
  /^(?:それでは|次に|まず|では|これから|今から)[、,]?[^。！？]*(?:確認|読|調べ|開|実行|検索|修正|作成|編集|見)[^。！？]{0,8}(?:ます|ましょう)$/u,
  /^[^。！？]*(?:確認|調査|実行|検索|修正|作成|編集)して(?:みます|いきます|みましょう)$/u,
  // Korean
  /^[^.!?]*(?:확인|읽|검색|실행|수정|생성|살펴|열|찾|분석|편집|작성)[^.!?]{0,6}(?:겠습니다|할게요|볼게요)$/u,
];

/** A question, an offer, a condition, or a promise for later: it is the user's turn. */
const NOT_NOW =
  /[?？¿]|\b(?:if you|once you|when you|after you|as soon as|let me know|would you|do you|you(?:['’]d)? (?:like|want|can|could|should|may|need|prefer)|your (?:approval|confirmation|permission|answer|reply|feedback|go-ahead)|please|wait(?:ing)?|next time|from now on|in (?:the )?future|later|whenever|always|falls|wenn sie|wenn du|bitte|soll ich|möchten|si vous|si tu|souhaite|voulez|si (?:quieres|desea)|por favor|se (?:você|quiser|vuoi)|если)\b|如果|若您|是否|吗|嗎|需要我|等待|等您|等你|请您|请你|请告|(?:您|你)(?:想|希望|确认|同意|觉得|可以|需要|愿意|批准)|以后|今后|已经|已為|已为|建议|建議|^请|了[。！]?$|(?:よろしい|ください|でしょうか|場合|関数は|メソッドは|クラスは|コードは)|(?:원하시|주세요|까요)/iu;

/**
 * Whether a reply ends by announcing a step without taking it: "I will now read the file." Questions, offers and
 * finished answers are not announcements; in doubt, returns false.
 */
export function isAnnouncement(text: string): boolean {
  const end = text.trimEnd();
  // Code, a table or a tag at the end is content, not an announcement.
  if (end === '' || /[`|>}\])]$/.test(end)) return false;
  const sentence = lastSentence(end.slice(-LOOKED_AT));
  if (sentence === undefined || NOT_NOW.test(sentence)) return false;
  // "Let me summarize: it is red." already does what it announces.
  if (/[:：]\s*\S/.test(sentence)) return false;
  const promise = sentence.replace(/[.。!！…:：\s]+$/u, '').replace(/\*\*|__/g, '');
  return PROMISES.some((pattern) => pattern.test(promise));
}

/** The text after the last end of a sentence or line; `undefined` if it begins too far back. */
function lastSentence(end: string): string | undefined {
  const body = end.replace(/[.。!！?？…:：\s]+$/u, '');
  const breaks = [...body.matchAll(/[.!?…](?=\s)|[。！？\n]/gu)];
  const at = breaks.at(-1);
  if (!at && end.length >= LOOKED_AT) return undefined;
  return end.slice(at ? at.index + at[0].length : 0).trim();
}
