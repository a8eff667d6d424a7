export { createGallery } from './feature.ts'
export type { Gallery, PhotoRejection } from './gallery.ts'
export { filenameOf, type ReceivedPhoto } from './photo.ts'
