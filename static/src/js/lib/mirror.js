// The copy of unsaved work on this device. IndexedDB with strict durability, so that a killed browser loses only
// what was typed in the last moments; localStorage where IndexedDB is barred. Emptied as soon as the server has it.

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

/** A mirror for one seat: `key` names the assignment, which belongs to one person. */
export class Mirror {
  #database;

  constructor(key) {
    this.key = key;
    this.isReliable = true;
    this.#database = open().catch(() => null);
  }

  async put(entry) {
    const row = { ...entry, at: Date.now() };
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
