import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the value after it has not changed for a while, so that not every keystroke sends a
 * request.
 */
export function useDebounced<Value>(value: Value, waitMs = 300): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs);

    return () => clearTimeout(timer);
  }, [value, waitMs]);

  return settled;
}
