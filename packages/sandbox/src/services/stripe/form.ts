/** A form as Stripe's clients send it: `a[b][0]=c` is `{ a: { b: { 0: 'c' } } }`. */
export type FormTree = { readonly [name: string]: FormValue };

export type FormValue = string | FormTree;

type GrowingTree = { [name: string]: string | GrowingTree };

/** Parses a query or a form-encoded body with nested names. */
export function parseForm(form: URLSearchParams): FormTree {
  const root = emptyTree();

  for (const [name, value] of form) {
    insert(root, splitName(name), value);
  }

  return root;
}

/** Returns the same text for equal forms, regardless of the field order. */
export function canonicalForm(form: URLSearchParams): string {
  const sorted = new URLSearchParams(form);
  sorted.sort();

  return sorted.toString();
}

function splitName(name: string): readonly string[] {
  const open = name.indexOf('[');

  if (open <= 0 || !name.endsWith(']')) {
    return [name];
  }

  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
}

function insert(root: GrowingTree, path: readonly string[], value: string): void {
  let tree = root;

  for (const [index, part] of path.entries()) {
    const name = part === '' ? String(Object.keys(tree).length) : part;

    if (index === path.length - 1) {
      tree[name] = value;

      return;
    }

    const child = tree[name];
    const next = typeof child === 'object' ? child : emptyTree();
    tree[name] = next;
    tree = next;
  }
}

/** Has no prototype, so `__proto__` is a normal field name. */
function emptyTree(): GrowingTree {
  return Object.create(null);
}
