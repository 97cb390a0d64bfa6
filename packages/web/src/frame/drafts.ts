import { useCallback, useState } from 'preact/hooks';
import { draftPrefix } from './draft-storage.ts';
import { useMembership, useUser } from './session.tsx';

/**
 * A text that survives a reload and the end of a session, such as an unsent reply. `const [text,
 * setText] = useDraft('reply:' + conversationId)`. An empty text removes the draft. Never use it
 * for passwords or keys.
 */
export function useDraft(name: string, initial = ''): readonly [string, (text: string) => void] {
  const user = useUser();
  const { id } = useMembership();
  const key = `${draftPrefix}${user.id}:${id}:${name}`;
  const [state, setState] = useState({ key, text: read(key) ?? initial });
  if (state.key !== key) {
    setState({ key, text: read(key) ?? initial });
  }
  const write = useCallback(
    (text: string) => {
      setState({ key, text });
      if (text === '') {
        localStorage.removeItem(key);
      } else {
        localStorage.setItem(key, text);
      }
    },
    [key],
  );

  return [state.key === key ? state.text : (read(key) ?? initial), write];
}

function read(key: string): string | undefined {
  return localStorage.getItem(key) ?? undefined;
}

/**
 * The changed fields of a form, merged into the stored values. They survive a reload: `const {
 * value, change, forget } = useDraftOf('campaign:' + id, stored)`. Call `forget` after saving them.
 */
export function useDraftOf<Value extends object>(name: string, stored: Value) {
  const [text, setText] = useDraft(name);
  const changes: Partial<Value> = text === '' ? {} : JSON.parse(text);

  return {
    value: { ...stored, ...changes },
    isChanged: text !== '',
    change: (further: Partial<Value>) => setText(JSON.stringify({ ...changes, ...further })),
    forget: () => setText(''),
  };
}
