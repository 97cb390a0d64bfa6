import { type Answered, requireTable, type Store } from '../operation.ts';
import { unsupported } from '../table-error.ts';
import {
  type KeyFields,
  type PreparedWrite,
  type PutFields,
  prepareDelete,
  preparePut,
  prepareUpdate,
  type UpdateFields,
  writeCost,
} from './prepare-write.ts';

type ReturnFields = { readonly ReturnValues?: 'NONE' | 'ALL_NEW' };

export function putItem(store: Store, request: PutFields & ReturnFields): Answered {
  requireNoValues(request);

  return execute(store, preparePut(requireTable(store, request.TableName), request), request);
}

export function deleteItem(store: Store, request: KeyFields & ReturnFields): Answered {
  requireNoValues(request);

  return execute(store, prepareDelete(requireTable(store, request.TableName), request), request);
}

export function updateItem(store: Store, request: UpdateFields & ReturnFields): Answered {
  return execute(store, prepareUpdate(requireTable(store, request.TableName), request), request);
}

function requireNoValues({ ReturnValues = 'NONE' }: ReturnFields): void {
  if (ReturnValues !== 'NONE') {
    throw unsupported('ReturnValues of puts and deletes');
  }
}

function execute(store: Store, write: PreparedWrite, { ReturnValues }: ReturnFields): Answered {
  const change = write.plan();
  store.commit([change]);

  return {
    output: ReturnValues === 'ALL_NEW' ? { Attributes: change.after } : {},
    costs: () => [writeCost(change)],
  };
}
