// The copy of unsaved work on this device. IndexedDB with strict durability, so that a killed browser loses only
// what was typed in the last moments; localStorage where IndexedDB is barred. Emptied as soon as the server has it.
// While one copy is on its way to the disk only the newest waits behind it: on a slow disk every key would queue.

const databaseName = "inkbench";
const storeName = "unsaved";

function asPromise(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function open() {
  const request = indexedDB.open(databaseName, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(storeName);
  return asPromise(request);
}

/** A mirror for one assignment: `key` names the assignment, which belongs to one person. */
export class Mirror {
  #database;
  #next = null;
  #writing = null;

  constructor(key) {
    this.key = key;
    this.isReliable = true;
    this.#database = open().catch(() => null);
  }

  /** Resolves when this entry, or a newer one, is kept. */
  put(entry) {
    this.#next = { ...entry, at: Date.now() };
    this.#writing ??= this.#putAll();
    return this.#writing;
  }

  /** The page is about to go: what waits sets out at once, for nothing runs here once it is gone. */
  hurry() {
    const row = this.#next;
    this.#next = null;
    if (row) void this.#keep(row);
  }

  async #putAll() {
    while (this.#next) {
      const row = this.#next;
      this.#next = null;
      await this.#keep(row);
    }
    this.#writing = null;
  }

  async #keep(row) {
    try {
      await this.#write((store) => store.put(row, this.key));
    } catch {
      this.#fallback((storage) => storage.setItem(`inkbench:unsaved:${this.key}`, JSON.stringify(row)));
    }
  }

  async get() {
    try {
      const database = await this.#open();
      const row = await asPromise(database.transaction(storeName).objectStore(storeName).get(this.key));
      if (row) return row;
    } catch {
      // Barred: the fallback below may have it.
    }
    let row = null;
    this.#fallback((storage) => {
      row = JSON.parse(storage.getItem(`inkbench:unsaved:${this.key}`) ?? "null");
    });
    return row;
  }

  async clear() {
    this.#next = null;
    try {
      await this.#write((store) => store.delete(this.key));
    } catch {
      // Nothing there to clear.
    }
    this.#fallback((storage) => storage.removeItem(`inkbench:unsaved:${this.key}`));
  }

  async #open() {
    const database = await this.#database;
    if (!database) throw new Error("IndexedDB is barred");
    return database;
  }

  async #write(act) {
    const database = await this.#open();
    const transaction = database.transaction(storeName, "readwrite", { durability: "strict" });
    act(transaction.objectStore(storeName));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  }

  #fallback(act) {
    try {
      act(localStorage);
    } catch {
      this.isReliable = false;
    }
  }
}
