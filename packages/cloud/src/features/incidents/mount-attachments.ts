import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from '../../http/auth/index.ts'
import { mount } from '../../http/mount.ts'
import type { Services } from '../../http/services.ts'
import { addAttachments } from './add-attachments.ts'
import { attachmentLimits } from './read-attachments.ts'

/** Puts the upload on the server, in a scope of its own: no other endpoint is to be sent these forms. */
export function mountAttachments(server: FastifyInstance, authDeps: AuthDeps, services: Services): void {
  server.register(async (scope) => {
    await scope.register(multipart, { limits: attachmentLimits, throwFileSizeLimit: false })
    mount(scope, [addAttachments], authDeps, services)
  })
}
