import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from '#server/ports/world.ts'
import { nameOfHost } from './caller.ts'

/** A class, because creating closures took a tenth of the time of each request. */
export class ResponseCookies implements Cookies {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
  }

  set(name: string, value: string, options: Parameters<Cookies['set']>[2]) {
    this.#reply.setCookie(name, value, { path: '/', sameSite: 'lax', secure: this.#isSecure(), ...options })
  }

  setForHost(name: string, value: string, options: Parameters<Cookies['set']>[2]) {
    if (!this.#isSecure()) return this.set(name, value, options)
    this.set(nameOfHost(name), value, options)
    if (this.#request.cookies[name] !== undefined) this.expire(name)
  }

  #isSecure() {
    return this.#request.protocol === 'https' || this.#request.world.origin.startsWith('https:')
  }

  expire(name: string) {
    this.#reply.clearCookie(name, { path: '/' })
  }

  clearCache() {
    this.#reply.header('clear-site-data', '"cache"')
  }
}
