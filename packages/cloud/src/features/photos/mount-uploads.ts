import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from '../../http/auth/index.ts'
import { mount } from '../../http/mount.ts'
import type { Services } from '../../http/services.ts'
import { uploadLimits } from './read-upload.ts'
import { uploadPhoto } from './upload-photo.ts'

/** Puts the upload on the server, in a scope of its own: no other endpoint is to be sent forms. */
export function mountUploads(server: FastifyInstance, authDeps: AuthDeps, services: Services): void {
  server.register(async (scope) => {
    await scope.register(multipart, { limits: uploadLimits, throwFileSizeLimit: false })
    mount(scope, [uploadPhoto(services)], authDeps, services)
  })
}
