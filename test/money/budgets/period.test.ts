import { Calendar } from '../../../src/money/budgets/period';

const iso = ({ startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date }): readonly string[] => [
  startsAt.toISOString(),
  endsAt.toISOString(),
];

describe('the period of a moment', () => {
  it.each([
    ['America/Mexico_City', 'DAY', '2026-11-22T05:59:59.999Z', '2026-11-21T06:00:00.000Z', '2026-11-22T06:00:00.000Z'],
    ['America/Mexico_City', 'DAY', '2026-11-22T06:00:00.000Z', '2026-11-22T06:00:00.000Z', '2026-11-23T06:00:00.000Z'],
    [
      'America/Mexico_City',
      'MONTH',
      '2026-12-31T12:00:00.000Z',
      '2026-12-01T06:00:00.000Z',
      '2027-01-01T06:00:00.000Z',
    ],
    // A day of 23 hours, a day of 25 hours, and a day that begins at one o'clock.
    ['America/Tijuana', 'DAY', '2026-03-08T20:00:00.000Z', '2026-03-08T08:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['America/Tijuana', 'DAY', '2026-11-01T20:00:00.000Z', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'],
    ['Asia/Beirut', 'DAY', '2026-03-29T12:00:00.000Z', '2026-03-28T22:00:00.000Z', '2026-03-29T21:00:00.000Z'],
    ['Pacific/Kiritimati', 'DAY', '2026-01-01T09:59:00.000Z', '2025-12-31T10:00:00.000Z', '2026-01-01T10:00:00.000Z'],
    ['UTC', 'MONTH', '2024-02-29T23:59:59.999Z', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ] as const)('in %s, %s of %s', (zone, kind, moment, startsAt, endsAt) => {
    expect(iso(new Calendar(zone).periodOf(kind, new Date(moment)))).toEqual([startsAt, endsAt]);
  });
});
