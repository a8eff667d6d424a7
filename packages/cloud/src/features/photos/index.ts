export { mountUploads } from './mount-uploads.ts'
export { PhotoRelay } from './photo-relay.ts'
export { photoResponse } from './photo-response.ts'
