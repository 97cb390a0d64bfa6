import type { Media, Platform } from '../../service.ts';
import { Field, Select } from '../../ui/form.tsx';
import { networkNames } from '../../ui/networks.ts';
import { type SettingSchema, type SettingsTexts, settingSchemas } from './composition.ts';

/** The settings of a network for a post, from the OpenAPI document. */
export function SettingsFields({
  platform,
  path,
  texts,
  media,
  onChange,
}: {
  readonly platform: Platform;
  /** The path of the settings in the API, such as `targets.0.settings`. */
  readonly path: string;
  readonly texts: SettingsTexts;
  readonly media: readonly Media[];
  readonly onChange: (texts: SettingsTexts) => void;
}) {
  return (
    <details class="settings-fields">
      <summary>Settings of {networkNames[platform]}</summary>
      <div class="columns">
        {Object.entries(settingSchemas[platform]).map(([name, schema]) => (
          <Setting
            key={name}
            name={`${path}.${name}`}
            label={inWords(name)}
            schema={schema}
            text={texts[name] ?? ''}
            media={media}
            onChange={(text) => onChange({ ...texts, [name]: text })}
          />
        ))}
      </div>
    </details>
  );
}

function Setting({
  name,
  label,
  schema,
  text,
  media,
  onChange,
}: {
  readonly name: string;
  readonly label: string;
  readonly schema: SettingSchema;
  readonly text: string;
  readonly media: readonly Media[];
  readonly onChange: (text: string) => void;
}) {
  const options = optionsOf(schema, media);
  if (options) {
    return (
      <Select
        name={name}
        label={label}
        options={{ '': 'Default', ...options }}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }

  return (
    <Field
      name={name}
      label={label}
      {...(schema.type === 'number'
        ? { type: 'number', min: 0, step: 'any', max: schema.maximum }
        : { maxLength: schema.maxLength })}
      hint={schema.type === 'array' ? 'Separated by commas' : undefined}
      value={text}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function optionsOf(
  schema: SettingSchema,
  media: readonly Media[],
): Readonly<Record<string, string>> | undefined {
  if (schema.type === 'boolean') {
    return { true: 'Yes', false: 'No' };
  }
  if (schema.format === 'uuid') {
    const images = media.filter(({ kind }) => kind === 'IMAGE');

    return Object.fromEntries(images.map(({ id, fileName }) => [id, fileName]));
  }

  return schema.enum && Object.fromEntries(schema.enum.map((value) => [value, inWords(value)]));
}

/** Returns `privacyLevel` or `SELF_ONLY` as words. */
function inWords(name: string): string {
  const words = (name === name.toUpperCase() ? name : name.replace(/(?=[A-Z])/g, '_'))
    .split('_')
    .filter((word) => word !== '' && word !== 'Id')
    .join(' ')
    .toLowerCase()
    .replace(/\bai\b/, 'AI');

  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
