import { useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useMembership } from '../../frame/session.tsx';
import { client, type PromptTemplate } from '../../service.ts';
import { Field, Form, TextArea } from '../../ui/form.tsx';
import { wordsIn } from '../../ui/words.ts';
import { ownVariablesOf } from './variables.ts';

const newTemplate = {
  name: '',
  description: '',
  templateContent:
    'You answer customers of {{companyName}} on {{platform}} in a {{tone}} tone, in one or two sentences.\n\nIf you don’t know something, say that a colleague will get back to them.',
  companyName: '',
  industry: '',
  products: '',
  services: '',
  tone: 'friendly',
  style: '',
  expertise: '',
  language: '',
};
type Edited = typeof newTemplate;

function editedOf(template: PromptTemplate): Edited {
  const { name, description, templateContent, businessInfo, personalitySettings } = template;

  return {
    name,
    description: description ?? '',
    templateContent,
    companyName: businessInfo.companyName ?? '',
    industry: businessInfo.industry ?? '',
    products: businessInfo.products.join(', '),
    services: businessInfo.services.join(', '),
    tone: personalitySettings.tone ?? '',
    style: personalitySettings.style ?? '',
    expertise: personalitySettings.expertise ?? '',
    language: personalitySettings.language ?? '',
  };
}

const about: Readonly<Record<string, ReadonlyArray<readonly [keyof Edited, string, string?]>>> = {
  'The business': [
    ['companyName', 'Company'],
    ['industry', 'Industry'],
    ['products', 'Products', 'Separated by commas'],
    ['services', 'Services', 'Separated by commas'],
  ],
  'How it sounds': [
    ['tone', 'Tone'],
    ['style', 'Style'],
    ['expertise', 'Expertise'],
    ['language', 'Language', 'Such as en or de'],
  ],
};

const paths: Readonly<Partial<Record<keyof Edited, string>>> = {
  companyName: 'businessInfo.companyName',
  industry: 'businessInfo.industry',
  products: 'businessInfo.products',
  services: 'businessInfo.services',
  tone: 'personalitySettings.tone',
  style: 'personalitySettings.style',
  expertise: 'personalitySettings.expertise',
  language: 'personalitySettings.language',
};

export function TemplateForm({
  template,
  onDone,
}: {
  /** Undefined for a new template. */
  readonly template?: PromptTemplate;
  readonly onDone?: (templateId: string) => void;
}) {
  const { id: organizationId, name: companyName } = useMembership();
  const {
    value: edited,
    change,
    forget,
  } = useDraftOf(
    `template:${template?.id ?? 'new'}`,
    template ? editedOf(template) : { ...newTemplate, companyName },
  );
  const variables = ownVariablesOf(edited.templateContent);
  const saving = useSend(
    (_: unknown, options) => {
      const textOf = (name: keyof Edited) => edited[name].trim() || null;
      const body = {
        organizationId,
        name: edited.name,
        description: textOf('description'),
        templateContent: edited.templateContent,
        inputVariables: variables,
        businessInfo: {
          companyName: textOf('companyName'),
          industry: textOf('industry'),
          products: wordsIn(edited.products),
          services: wordsIn(edited.services),
        },
        personalitySettings: {
          tone: textOf('tone'),
          style: textOf('style'),
          expertise: textOf('expertise'),
          language: textOf('language'),
        },
      };

      return template
        ? client.ai.updatePromptTemplate({ ...body, templateId: template.id }, options)
        : client.ai.createPromptTemplate(body, options);
    },
    { changes: ['agents'] },
  );
  const input = (name: keyof Edited) => ({
    value: edited[name],
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      change({ [name]: currentTarget.value }),
  });

  return (
    <Form
      sending={saving}
      action={template ? 'Save' : 'Create template'}
      done="Saved"
      onDone={({ promptTemplate }) => {
        forget();
        onDone?.(promptTemplate.id);
      }}
    >
      <Field name="name" label="Name" required {...input('name')} />
      <TextArea
        name="templateContent"
        label="Instructions"
        rows={8}
        required
        hint={
          variables.length === 0
            ? 'Fields below and facts can be named, such as {{companyName}}, {{customerName}} or {{currentDate}}.'
            : `Agents and campaigns give values for: ${variables.join(', ')}`
        }
        {...input('templateContent')}
      />
      {Object.entries(about).map(([legend, fields]) => (
        <fieldset key={legend}>
          <legend>{legend}</legend>
          <div class="columns">
            {fields.map(([name, label, hint]) => (
              <Field
                key={name}
                name={paths[name] ?? name}
                label={label}
                hint={hint}
                {...input(name)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <Field name="description" label="Note for colleagues" {...input('description')} />
    </Form>
  );
}
