/** Words of several languages with the same meaning, as a language model knows them. */
const concepts: Readonly<Record<string, readonly string[]>> = {
  open: 'open opens opening opened hours geoffnet offnen offnet offen offnungszeiten ouvert ouvrez ouvre horaires abierto abren abre horario horarios aperti orari aberto 営業 开门 营业'.split(
    ' ',
  ),
  close:
    'close closes closing closed schliesst schliessen geschlossen ferme fermez cierra cierran chiude fecha 闭店'.split(
      ' ',
    ),
  price:
    'price prices cost costs preis preise kostet kosten prix coute tarif precio precios cuesta prezzo costa preco 価格 价格 多少钱'.split(
      ' ',
    ),
  ship: 'ship ships shipping shipped deliver delivers delivery liefern liefert lieferung versand versenden livrer livrez livraison expedier envio envian envios enviar spedizione spedite entrega 配送 送货'.split(
    ' ',
  ),
  return:
    'return returns refund refunds send-back ruckgabe zuruckgeben umtausch erstattung retour retourner remboursement devolver devolucion reembolso reso rimborso 返品 退货'.split(
      ' ',
    ),
  pay: 'pay payment payments paying zahlen bezahlen zahlung payer paiement pagar pago pagamento 支払い 付款'.split(
    ' ',
  ),
  warranty: 'warranty guarantee garantie gewahrleistung garantia garanzia 保証 保修'.split(' '),
  park: 'park parking car-park parken parkplatz parkplatze stationner aparcar aparcamiento parcheggio 駐車場 停车'.split(
    ' ',
  ),
  dog: 'dog dogs pet pets hund hunde haustier chien chiens animal perro perros mascotas cane 犬 狗'.split(
    ' ',
  ),
  address:
    'address located location where adresse wo standort ou adresse direccion donde indirizzo dove 住所 地址'.split(
      ' ',
    ),
  phone:
    'phone telephone call telefon telefonnummer anrufen telephone appeler telefono llamar 電話 电话'.split(
      ' ',
    ),
  saturday:
    'saturday saturdays samstag samstags samedi sabado sabado sabato 土曜日 星期六 周六'.split(' '),
  sunday: 'sunday sundays sonntag sonntags dimanche domingo domenica 日曜日 星期日 周日'.split(' '),
  gift: 'gift gifts voucher vouchers gutschein gutscheine geschenk cadeau bon regalo vale buono ギフト 礼品卡'.split(
    ' ',
  ),
  vegan: 'vegan vegans vegetarian vegetarisch vegane vegetarien vegetariano ビーガン 素食'.split(
    ' ',
  ),
  engine:
    'engine engines machine machines maschine maschinen moteur moteurs motor motores maquina motore エンジン 发动机'.split(
      ' ',
    ),
  repair:
    'repair repairs fix reparieren reparatur reparer reparation reparar riparare 修理 维修'.split(
      ' ',
    ),
  days: 'day days tage tagen jours dias giorni 日間 天'.split(' '),
};

const stopWords = new Set(
  'a an and are as at be by can could do does for from has have how i if in is it me my of on or our please so that the their them they this to us was we what when which who will with would you your hello hi thanks thank gibt haben quels sont vos votre der die das ein eine und ist sind sie ihr ich wir mit zu wann was wie auf im am fur le la les un une et est vous nous je que quel quand avec pour sur des du el los las y es son usted nosotros con para cuando cual a o il lo gli e di per'.split(
    ' ',
  ),
);

const conceptOf = new Map(
  Object.entries(concepts).flatMap(([concept, words]) =>
    words.map((word) => [word, concept] as const),
  ),
);
/** Languages without spaces. */
const unspaced = [...conceptOf.keys()].filter((word) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(word));

/** Long words with the same beginning have nearly the same meaning. */
const stemLength = 6;

/** Returns the concepts in a text. Omits words without a meaning, such as articles. */
export function meaningsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
  const composed = plain.normalize('NFC');
  const found = unspaced
    .filter((word) => text.normalize('NFKC').includes(word))
    .map((word) => conceptOf.get(word) ?? word);
  const words = composed.match(/[\p{L}\p{N}]+/gu) ?? [];

  return [
    ...found,
    ...words
      .filter((word) => !stopWords.has(word) && !/[\u3040-\u30ff\u4e00-\u9fff]/.test(word))
      .map((word) => conceptOf.get(word) ?? word.slice(0, stemLength)),
  ];
}
