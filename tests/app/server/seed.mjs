// What a new session finds. Amounts are cents; the app's today never moves.
export const today = '2026-03-16';

export const credentials = { email: 'ada@tally.example', password: 'correct horse battery staple', code: '314159', name: 'Ada Lovelace' };
export const card = { holder: 'Ada Lovelace', number: '4242 4242 4242 4242', expiry: '09/29', code: '917' };

/// Two customers share a name: only the city tells them apart.
export const customers = [
  { id: 'C-101', name: 'Atelier Fournier', city: 'Lyon' },
  { id: 'C-102', name: 'Brightwater Ltd', city: 'Bristol' },
  { id: 'C-103', name: 'Harbour Coffee', city: 'Galway' },
  { id: 'C-104', name: 'Northwind Traders', city: 'Oslo' },
  { id: 'C-105', name: 'Northwind Traders', city: 'Lisbon' },
  { id: 'C-106', name: 'Lindqvist AB', city: 'Uppsala' },
  { id: 'C-107', name: 'Müller Maschinenbau', city: 'Ulm' },
  { id: 'C-108', name: 'Kestrel & Sons', city: 'Leeds' },
];

const row = (n, customer, amount, due, status, note = '') => ({ id: `INV-${1000 + n}`, customer, amount, due, status, note });

export const invoices = [
  row(1, 'C-102', 124000, '2026-03-02', 'Paid'),
  row(2, 'C-101', 86550, '2026-03-04', 'Paid', 'Spring catalogue'),
  row(3, 'C-103', 48000, '2026-03-20', 'Approved', 'Espresso machine, service contract'),
  row(4, 'C-106', 219900, '2026-03-09', 'Overdue'),
  row(5, 'C-104', 75025, '2026-03-12', 'Overdue', 'Freight, February'),
  row(6, 'C-107', 1480000, '2026-03-31', 'Open', 'Spindle, first instalment'),
  row(7, 'C-104', 231000, '2026-03-27', 'Open'),
  row(8, 'C-108', 39900, '2026-04-02', 'Open'),
  row(9, 'C-102', 124000, '2026-04-02', 'Open', 'Retainer, April'),
  row(10, 'C-101', 15000, '2026-04-10', 'Draft', 'Duplicate of INV-1002?'),
  row(11, 'C-103', 9650, '2026-04-01', 'Approved'),
  row(12, 'C-105', 231000, '2026-03-27', 'Open'),
  row(13, 'C-106', 60000, '2026-04-15', 'Draft'),
  row(14, 'C-105', 118075, '2026-03-30', 'Open', 'Pallets'),
  row(15, 'C-107', 742000, '2026-04-30', 'Draft', 'Spindle, second instalment'),
  row(16, 'C-108', 39900, '2026-03-05', 'Paid'),
  row(17, 'C-104', 5240, '2026-04-08', 'Draft'),
  row(18, 'C-102', 310500, '2026-03-11', 'Overdue', 'Reminder sent'),
  row(19, 'C-101', 86550, '2026-04-04', 'Open', 'Spring catalogue, reprint'),
  row(20, 'C-103', 22300, '2026-04-12', 'Open'),
  row(21, 'C-106', 219900, '2026-04-09', 'Open'),
  row(22, 'C-107', 56780, '2026-03-06', 'Paid', 'Spare parts'),
  row(23, 'C-108', 128000, '2026-04-20', 'Draft'),
];
