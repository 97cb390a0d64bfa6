import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, Loading } from '../ui/states.tsx';

type State = { readonly Area?: ComponentType; readonly error?: unknown };

/** Returns a component whose code loads when it is first shown. */
export function chunk(load: () => Promise<{ readonly Area: ComponentType }>): ComponentType {
  let loaded: ComponentType | undefined;

  return () => {
    const [{ Area = loaded, error }, setState] = useState<State>({});
    const start = async () => {
      try {
        loaded = (await load()).Area;
        setState({ Area: loaded });
      } catch (failure) {
        setState({ error: failure });
      }
    };
    useEffect(() => {
      if (!loaded) {
        void start();
      }
    }, []);
    if (Area) {
      return <Area />;
    }

    // Browsers remember that a module failed to load, and a new version has other file names. Only
    // a reload helps.
    return error ? (
      <Failure message="This page couldn’t be loaded." onRetry={() => location.reload()} />
    ) : (
      <Loading />
    );
  };
}
