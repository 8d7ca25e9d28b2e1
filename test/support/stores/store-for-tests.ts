import { openStore } from '../../../src/store/open-store';
import type { Store } from '../../../src/store/store';
import { startForTests } from '../start-for-tests';
import type { EngineRig } from './engines';
import { storeMigrations } from './store-migrations';

export function storeForTests(rig: EngineRig, migrations = storeMigrations): Store {
  const open = async (): Promise<Store> => {
    const settings = await (migrations === storeMigrations ? rig.settings() : rig.emptySettings());
    const store = await openStore(settings.store, migrations);
    const [query, read, runLong] = [store.query.bind(store), store.read.bind(store), store.runLong.bind(store)];
    const [queryAhead, listen] = [store.queryAhead.bind(store), store.listen.bind(store)];
    const { engine, connections } = store;
    return { engine, connections, isOpen: true, query, queryAhead, read, runLong, listen, close: () => store.close() };
  };
  return startForTests(open, (store) => store.close());
}
