type Values = Readonly<Record<string, string>>;

const link = 'https://cheap-pills.example/buy';
const trap = { 'website-url': link };
const agreed = { consent: 'on' };

/**
 * Spam from programs, by the defense that should stop it. Each entry needs a different email
 * address.
 */
export const spam: Readonly<Record<string, readonly Values[]>> = {
  /** Fills in every input that has a name. */
  honeypot: [
    { ...agreed, ...trap, name: 'Bot', message: link },
    { ...agreed, ...trap, name: link, company: link, phone: '123456', message: link },
    { ...agreed, 'website-url': 'x' },
    { ...agreed, 'website-url': ' ' },
    { ...trap, name: 'Without consent' },
    { ...agreed, ...trap, name: '<a href="https://x.example">x</a>' },
    { ...agreed, ...trap, name: '[url=https://x.example]x[/url]' },
    { ...agreed, ...trap, message: `${link} `.repeat(100) },
    { ...agreed, ...trap, message: 'Заработок в интернете' },
    { ...agreed, ...trap, message: '网上赚钱' },
    { ...agreed, 'website-url': 'bot@example.com', message: 'SEO services' },
    { ...agreed, ...trap, message: '<script>alert(1)</script>' },
  ],
  /** Sends an invalid address, or several. */
  address: [
    { ...agreed, email: '' },
    { ...agreed, email: 'none' },
    { ...agreed, email: link },
    { ...agreed, email: 'a@example.com, b@example.com' },
    { ...agreed, email: 'a@example.com;b@example.com' },
    { ...agreed, email: '"><script>alert(1)</script>@x' },
    { ...agreed, email: '1234567@instagram.invalid' },
  ],
  /** Tries to add headers to an email. */
  injection: [
    { ...agreed, email: 'a@example.com\r\nBcc: all@example.com' },
    { ...agreed, email: 'a@example.com%0aBcc: all@example.com' },
    { ...agreed, name: 'Bot\r\nBcc: all@example.com' },
    { ...agreed, name: 'Bot\nTo: all@example.com' },
    { ...agreed, company: 'Bot\u2028Subject: x' },
    { ...agreed, phone: '1\r\nContent-Type: text/html' },
  ],
  /** Sends more than a person would type. */
  length: [
    { ...agreed, name: 'x'.repeat(101) },
    { ...agreed, company: 'x'.repeat(5_000) },
    { ...agreed, phone: '9'.repeat(51) },
    { ...agreed, message: `${link} `.repeat(500) },
    { ...agreed, message: 'x'.repeat(100_000) },
  ],
  /** Submits without opening the page. */
  consent: [{ message: link }, { consent: '', message: link }, { consent: 'false' }],
  /** Sends values that a form cannot contain. */
  encoding: [
    { ...agreed, message: 'a\u0000b' },
    { ...agreed, name: '\u0000' },
    { ...agreed, name: '\u200b\u200b' },
  ],
};

/** Looks like a person's message. It becomes a lead, and does no harm. */
export const undetectable: readonly Values[] = [
  { ...agreed, name: 'Max', message: `Great site! Visit ${link}` },
  { ...agreed, name: 'Anna', message: 'We offer SEO services. Call us.' },
  { ...agreed, name: '<script>alert(1)</script>', message: '<img src=x onerror=alert(1)>' },
  { ...agreed, name: '=HYPERLINK("https://x.example")', message: "' OR 1=1 --" },
];

/** Real messages: several languages and scripts, short and long. */
export const real: readonly Values[] = [
  { ...agreed },
  { ...agreed, name: 'Ada Lovelace', message: 'How much is an engine?' },
  {
    ...agreed,
    name: 'Zoë Müller-Lüdenscheidt',
    message: 'Guten Tag,\r\n\r\nwas kostet das?\r\nGruß',
  },
  { ...agreed, name: "Conor O'Brien", phone: '+353 1 234 5678' },
  { ...agreed, name: 'José María Ñúñez', message: '¿Cuánto cuesta? ¡Gracias!' },
  { ...agreed, name: 'François Lefèvre', company: 'L’Atelier & Fils', message: 'Bonjour, ça va ?' },
  { ...agreed, name: 'Łukasz Żółć', message: 'Dzień dobry, ile to kosztuje?' },
  { ...agreed, name: 'Мария Иванова', message: 'Здравствуйте! Сколько стоит?' },
  { ...agreed, name: 'Οδυσσέας Παπαδόπουλος', message: 'Πόσο κοστίζει;' },
  { ...agreed, name: '山田 太郎', company: '株式会社エンジン', message: 'いくらですか？' },
  { ...agreed, name: '王小明', message: '请问多少钱？' },
  { ...agreed, name: '김민수', message: '가격이 얼마인가요?' },
  { ...agreed, name: 'محمد علي', message: 'كم السعر؟ شكرا' },
  { ...agreed, name: 'דוד כהן', message: 'כמה זה עולה?' },
  { ...agreed, name: 'आरव शर्मा', message: 'कीमत क्या है?' },
  { ...agreed, name: 'สมชาย ใจดี', message: 'ราคาเท่าไหร่ครับ' },
  { ...agreed, name: 'Nguyễn Văn A', message: 'Giá bao nhiêu?' },
  { ...agreed, name: 'İbrahim Şahin', message: 'Fiyatı ne kadar?' },
  { ...agreed, name: 'Åsa Öberg', message: 'Hej! Vad kostar det?' },
  { ...agreed, name: 'Õnne Pärn', message: 'Tere' },
  { ...agreed, name: 'Þórður', message: 'Hvað kostar þetta?' },
  { ...agreed, name: 'X Æ', phone: '0', company: 'I' },
  { ...agreed, name: 'Sukarno', message: 'Berapa harganya?' },
  { ...agreed, name: '👩‍🚀 Valentina', message: 'Great! 🚀🚀🚀' },
  { ...agreed, name: 'Bot McBotface', message: 'This is my real name' },
  { ...agreed, name: 'Null', company: 'None', message: 'undefined' },
  { ...agreed, name: 'Jr., Dr. Robert "Bob" Smith', phone: '(555) 123-4567 ext. 89' },
  {
    ...agreed,
    name: 'Ann',
    message: 'See https://a.example, https://b.example and https://c.example',
  },
  { ...agreed, name: 'Ann', message: 'My site is http://ann.example/?a=1&b=2#c' },
  { ...agreed, name: 'Ann', message: 'Does <b>bold</b> work? 1 < 2 && 3 > 2' },
  { ...agreed, name: 'Ann', message: 'PLEASE CALL ME BACK!!! FREE ON MONDAY!!!' },
  { ...agreed, name: 'Ann', message: 'Price: $1,000,000 for Viagra® packaging machines?' },
  {
    ...agreed,
    name: 'Ann',
    message: 'Subject: offer\r\nBcc: nobody\r\nis what the last one wrote',
  },
  { ...agreed, name: 'Ann', message: 'x'.repeat(5_000) },
  { ...agreed, name: 'x'.repeat(100), company: 'y'.repeat(100) },
  { ...agreed, name: ' spaces ', message: '  around  ' },
  { ...agreed, name: 'Ann', message: '\r\n' },
  { ...agreed, name: 'Ann', phone: '', company: '', message: '', 'website-url': '' },
  { ...agreed, email: 'first.last+tag@sub.domain.example' },
  { ...agreed, email: 'UPPER.CASE@EXAMPLE.ORG' },
  { ...agreed, email: ' around@example.org ' },
  { ...agreed, email: "o'hara@example.org" },
];
