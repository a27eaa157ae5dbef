import { expect, test } from 'vitest'
import { normalizeNetworkNumber } from './network-number.ts'

test.each([
  ['imei', '490154203237518', '490154203237518'],
  ['imei', '49-015420-323751-8', '490154203237518'],
  ['imei', '490154203237519', null],
  ['imei', '49015420323751', null],
  ['imei', '', null],
  ['dev_eui', '70b3d57ed005a1f2', '70B3D57ED005A1F2'],
  ['dev_eui', '70-B3-D5-7E-D0-05-A1-F2', '70B3D57ED005A1F2'],
  ['dev_eui', '70:b3:d5:7e:d0:05:a1:f2', '70B3D57ED005A1F2'],
  ['dev_eui', '70b3d57ed005a1f', null],
  ['dev_eui', '70b3d57ed005a1fg', null],
  ['sigfox', '1cfa02', '1CFA02'],
  ['sigfox', '001CFA02', '1CFA02'],
  ['sigfox', '00000000', null],
  ['sigfox', '123456789', null],
  ['sigfox', '1CFAXX', null],
] as const)('the %s "%s" is stored as %s', (kind, text, value) => expect(normalizeNetworkNumber(kind, text)).toBe(value))
