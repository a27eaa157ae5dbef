export { api } from '#contracts/index.ts'
export { errors } from '#contracts/lib/errors.ts'
export { control } from '#contracts/mock/index.ts'
