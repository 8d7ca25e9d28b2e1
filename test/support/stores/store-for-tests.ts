import { openStore } from '../../../src/store/open-store';
import type { Migration, Store } from '../../../src/store/store';
import { startForTests } from '../start-for-tests';
import type { EngineRig } from './engines';

export function storeForTests(rig: EngineRig, migrations: readonly Migration[]): Store {
  const open = async (): Promise<Store> => {
    const store = await openStore((await rig.settings()).store, migrations);
    const [query, read, runLong] = [store.query.bind(store), store.read.bind(store), store.runLong.bind(store)];
    const listen = store.listen.bind(store);
    return { engine: store.engine, isOpen: true, query, read, runLong, listen, close: () => store.close() };
  };
  return startForTests(open, (store) => store.close());
}
