export { createGallery } from './feature.ts'
export type { Gallery, NoPhoto } from './gallery.ts'
export { filenameOf, type ReceivedPhoto } from './photo.ts'
