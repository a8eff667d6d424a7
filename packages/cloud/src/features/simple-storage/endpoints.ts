import { deleteText, getText, putText } from './one-text.ts'
import { deleteStorage, getStorage, putStorage } from './whole-storage.ts'

/** Endpoints under `/api/sdk/simple-storage`. */
export const storageEndpoints = [getStorage, putStorage, deleteStorage, getText, putText, deleteText]
