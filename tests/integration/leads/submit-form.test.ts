import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { idAt } from '#lib/platform/ids.ts';
import { createCustomField } from '#schemas/custom-fields.ts';
import { submitForm, updateForm } from '#schemas/forms.ts';
import { createContact } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { allFields, formSetup, hiddenValue, openPage, sendForm, sendJson } from './setup.ts';

const world = await formSetup();

async function leadOf(email: string) {
  const leads = await world.leadsWithActivities();

  return leads.find(({ contact }) => contact.email === email);
}

async function addFields(): Promise<readonly string[]> {
  const fields = [
    { key: 'budget', label: 'Budget', type: 'NUMBER', appliesTo: 'LEAD' },
    { key: 'size', label: 'Size', type: 'SELECT', options: ['S', 'L'], appliesTo: 'LEAD' },
    { key: 'birthday', label: 'Birthday', type: 'DATE', appliesTo: 'CONTACT' },
    { key: 'vip', label: 'VIP', type: 'BOOLEAN', appliesTo: 'CONTACT' },
    { key: 'wish', label: 'Wish', type: 'TEXT', appliesTo: 'LEAD' },
  ];
  for (const body of fields) {
    await world.ask(createCustomField, { body });
  }

  return fields.map(({ key }) => key);
}

describe('a submitted form', () => {
  it('becomes a lead with its contact, UTM parameters, message and consent', async () => {
    const form = await world.newForm({ consentText: 'I agree.' });
    const email = freshEmail();
    const { status, body } = await sendJson(
      form.code,
      {
        name: ' Ada Lovelace ',
        email: email.toUpperCase(),
        phone: '+44 20',
        company: 'Engines',
        message: 'How much?\r\nAda',
        consent: true,
      },
      { query: { utm_source: 'bio', utm_medium: 'social', utm_campaign: 'x'.repeat(500) } },
    );

    expect([status, body]).toEqual([
      200,
      { success: true, message: 'Thank you. We have received your message.' },
    ]);
    const lead = await leadOf(email);
    expect(lead).toMatchObject({
      source: 'form:Contact us',
      pipelineId: world.pipeline.id,
      utmSource: 'bio',
      utmMedium: 'social',
      utmCampaign: 'x'.repeat(100),
      contact: { name: 'Ada Lovelace', email, phone: '+44 20', company: 'Engines' },
      activities: [
        {
          type: 'FORM_SUBMITTED',
          metadata: {
            formId: form.id,
            message: 'How much?\nAda',
            consentText: 'I agree.',
            utm: { source: 'bio', medium: 'social', campaign: 'x'.repeat(100) },
          },
        },
      ],
    });
    expect(lead.activities[0].description).toBe(
      `Submitted the form Contact us\nName: Ada Lovelace\nEmail: ${email}\nPhone: +44 20\nCompany: Engines`,
    );
  });

  it.each(['%C3%BC%E2%82%AC+%25', '%FC%80+%25', '\u00FC\u20AC %25'])(
    'keeps a name that a page sends in its own encoding (%s)',
    async (name) => {
      const form = await world.newForm();
      const email = freshEmail();
      await sendForm(form.code, {}, { body: `name=M${name}&email=${encodeURIComponent(email)}` });

      expect((await leadOf(email)).contact.name).toBe('Mü€ %');
    },
  );

  it('stores custom fields by their type, both from a form and from JSON', async () => {
    const form = await world.newForm({ fields: [...allFields, ...(await addFields())] });
    const [typed, given] = [freshEmail(), freshEmail()];
    const texts = { budget: '1 500,5', size: 'L', birthday: '1815-12-10', vip: 'true', wish: 'x' };
    await sendForm(form.code, { ...texts, email: typed });
    await sendJson(form.code, { ...texts, email: given, budget: 1500.5, vip: true });

    for (const email of [typed, given]) {
      const lead = await leadOf(email);
      expect(lead.customFields).toEqual({ budget: 1500.5, size: 'L', wish: 'x' });
      expect(lead.contact.name).toBe(email);
    }
    const refused = await sendJson(form.code, {
      email: given,
      budget: 'much',
      size: 'XL',
      birthday: '10.12.1815',
      vip: 'perhaps',
      wish: { a: 1 },
    });
    expect([refused.status, refused.body.message]).toEqual([
      400,
      [
        'budget must be a number',
        'size must be one of: S, L',
        'birthday must be a date such as 2026-01-15',
        'vip must be a boolean',
        'wish must be a string',
      ],
    ]);
    const long = await sendJson(form.code, { email: given, wish: 'x'.repeat(1_001) });
    expect(long.body.message).toEqual(['wish must be a single line of at most 1000 characters']);
  });

  it('adds an activity if the address has a lead, and does not reveal it', async () => {
    const form = await world.newForm();
    const email = freshEmail();
    const first = await sendJson(form.code, { email, message: 'One' });
    const second = await sendJson(form.code, { email, message: 'Two', phone: '+44' });

    expect([second.status, second.body]).toEqual([first.status, first.body]);
    const { activities, contact } = await leadOf(email);
    expect(activities.map(({ metadata }: { metadata: object }) => metadata)).toMatchObject([
      { message: 'Two' },
      { message: 'One' },
    ]);
    expect([activities[0].description, contact.phone]).toEqual([
      `Submitted the form Contact us\nEmail: ${email}\nPhone: +44`,
      null,
    ]);
    expect(await world.submissionsOf(form.id)).toBe(2);
  });

  it('creates a lead for a contact without one, and adds missing values', async () => {
    const email = freshEmail();
    await world.ask(createContact, { body: { name: 'Charles', email } });
    const form = await world.newForm();
    await sendJson(form.code, { email, name: 'Other', company: 'Engines' });

    expect((await leadOf(email)).contact).toMatchObject({ name: 'Charles', company: 'Engines' });
  });

  it('sends pages to browsers: the thank-you text, or a redirect', async () => {
    const form = await world.newForm({ thankYouText: '<b>Thanks</b> & bye' });
    const shown = await sendForm(form.code, { email: freshEmail() });
    expect([shown.status, shown.headers['content-type']]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(shown.body).toContain('&lt;b&gt;Thanks&lt;/b&gt; &amp; bye');
    const params = { form_id: form.id };
    const redirectUrl = 'https://exämple.com/ok?x=1';
    await world.ask(updateForm, { params, body: { redirectUrl } });
    const redirected = await sendForm(form.code, { email: freshEmail() });

    expect([redirected.status, redirected.headers.location]).toEqual([
      303,
      'https://xn--exmple-cua.com/ok?x=1',
    ]);
    const json = await sendJson(form.code, { email: freshEmail() });
    expect(json.body.message).toBe('<b>Thanks</b> & bye');
  });

  it('returns a page that keeps the input, with its problems', async () => {
    const form = await world.newForm({ consentText: 'I agree.' });
    const sent = { name: 'Ada "A" <b>', email: 'ada@', message: '\nTwo\nlines' };
    const { status, body } = await sendForm(form.code, sent, { query: { utm_source: 'a"b' } });

    expect(status).toBe(400);
    expect(body).toContain('value="Ada &quot;A&quot; &lt;b&gt;"');
    expect(body).toContain('value="ada@"');
    expect(body).toContain('>\n\nTwo\nlines</textarea>');
    expect(body).toContain('href="#field-email"');
    expect(body).toContain('href="#field-consent"');
    expect(body).toContain('action="?utm_source=a%22b"');
    expect(await world.submissionsOf(form.id)).toBe(0);
  });

  it('requires consent to the text that is currently shown', async () => {
    const form = await world.newForm({ consentText: 'I agree.' });
    const email = freshEmail();
    const consent = /name="consent" value="([^"]+)"/.exec((await openPage(form.code)).body)?.[1];
    for (const given of [undefined, '', 'false', false, 0, null]) {
      const refused = await sendJson(form.code, { email, consent: given });
      expect([refused.status, refused.body.message]).toEqual([
        400,
        ['consent must be given to send this form'],
      ]);
    }
    expect((await sendForm(form.code, { email, consent })).status).toBe(200);
    await world.ask(updateForm, {
      params: { form_id: form.id },
      body: { consentText: 'I agree to more.' },
    });
    const outdated = await sendForm(form.code, { email, consent });
    expect(outdated.status).toBe(400);
    expect(outdated.body).toContain('The text of this box has changed');
    const { activities } = await leadOf(email);
    expect(activities).toMatchObject([{ metadata: { consentText: 'I agree.' } }]);
  });

  it('counts once if the same page is sent twice', async () => {
    const form = await world.newForm();
    const email = freshEmail();
    const id = hiddenValue(await openPage(form.code), 'submission-id');
    const answers = await Promise.all(
      [1, 2].map(() => sendForm(form.code, { email, 'submission-id': id })),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await leadOf(email)).activities).toHaveLength(1);
    expect(await world.submissionsOf(form.id)).toBe(1);
    // The id of an old page, or an invented one, does not affect the order of activities.
    const invented = [idAt(Date.now() - dayMs - minuteMs), idAt(Date.now() + hourMs), 'x'];
    for (const other of invented) {
      await sendForm(form.code, { email, 'submission-id': other });
    }
    const { activities } = await leadOf(email);
    expect(activities).toHaveLength(4);
    const ids = activities.map(({ id: own }: { id: string }) => own);
    expect(invented.filter((other) => ids.includes(other))).toEqual([]);
  });

  it('looks successful if the hidden field was filled in, but counts nothing', async () => {
    const form = await world.newForm({ consentText: 'I agree.' });
    const email = freshEmail();
    const trapped = { email, 'website-url': 'http://spam.example' };
    const [json, page] = [await sendJson(form.code, trapped), await sendForm(form.code, trapped)];
    const real = await sendForm(form.code, { email: freshEmail(), consent: 'on' });

    expect([json.status, page.status, page.body]).toEqual([200, 200, real.body]);
    expect(await leadOf(email)).toBeUndefined();
    expect(await world.submissionsOf(form.id)).toBe(1);
  });

  it('is limited per network, and keeps the input', async () => {
    const form = await world.newForm();
    delete process.env.FORM_LIMIT_PER_IP;
    setClock(() => Date.parse('2026-05-01T10:00:00Z'));
    const from = { ip: '198.51.100.7' };
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await sendForm(form.code, { email: freshEmail() }, from)).status).toBe(200);
    }
    const refused = await sendForm(form.code, { email: 'ada@x.com', message: 'Typed' }, from);

    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(refused.body).toContain('Typed</textarea>');
    expect((await sendJson(form.code, { email: 'ada@x.com' }, from)).status).toBe(429);
    expect((await sendForm(form.code, { email: freshEmail() })).status).toBe(200);
    setClock(() => Date.parse('2026-05-01T10:01:00Z'));
    expect((await sendForm(form.code, { email: freshEmail() }, from)).status).toBe(200);
  });

  it('is found only by its code', async () => {
    const json = await sendJson('nothing', { email: freshEmail() });
    const page = await sendForm('nothing', { email: freshEmail() });

    expect([json.status, json.body.message]).toEqual([
      404,
      "Form not found or you don't have access",
    ]);
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it.each([
    [400, 'application/json', '{"email":'],
    [400, 'application/json', '[]'],
    [400, 'application/json', 'null'],
    [415, 'multipart/form-data; boundary=x', '--x'],
    [415, 'text/xml', '<a/>'],
    [413, 'application/x-www-form-urlencoded', `message=${'x'.repeat(1024 * 1024)}`],
  ])('returns %i for %s %j', async (status, contentType, body) => {
    const form = await world.newForm();
    const headers = { 'content-type': contentType };
    const answer = await call(submitForm, { params: { code: form.code }, body, headers });

    expect(answer.status).toBe(status);
  });

  it.each([
    ['email', {}],
    ['email', { email: 42 }],
    ['email', { email: '12345@facebook.invalid' }],
    ['name', { name: 'Ada\r\nBcc: all@example.com' }],
    ['name', { name: 'x'.repeat(101) }],
    ['phone', { phone: 'x'.repeat(51) }],
    ['company', { company: '\u200b' }],
    ['message', { message: 'x'.repeat(5_001) }],
    ['message', { message: 'a\u0000b' }],
    ['message', { message: ['x'] }],
  ])('reports an invalid %s: %j', async (field, given) => {
    const form = await world.newForm();
    const email = field === 'email' ? {} : { email: freshEmail() };
    const refused = await sendJson(form.code, { ...email, ...given });

    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual([expect.stringMatching(`^${field} `)]);
  });

  it('ignores values that the form does not ask for', async () => {
    const form = await world.newForm({ fields: ['email'] });
    const email = freshEmail();
    await sendJson(form.code, { email, name: 'x'.repeat(500), source: 'x', value: 1, id: 1 });

    expect(await leadOf(email)).toMatchObject({ source: 'form:Contact us', value: null });
  });
});
