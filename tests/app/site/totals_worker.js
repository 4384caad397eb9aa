// Adds up invoices and writes them as CSV, off the page's thread. Takes {number, invoices}, answers {number, count, outstanding, overdue, approved, shown, csv}.
import { fault } from './fault.js';

const quoted = value => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

onmessage = ({ data: { number, invoices } }) => {
  const counted = fault('wrong-total') ? invoices.slice(0, -1) : invoices;
  const sum = (...statuses) => counted.filter(one => statuses.includes(one.status)).reduce((total, one) => total + one.amount, 0);
  const csv = ['invoice,customer,city,due,amount,status', ...invoices.map(one =>
    [one.id, one.customerName, one.city, one.due, (one.amount / 100).toFixed(2), one.status].map(quoted).join(','))].join('\r\n') + '\r\n';
  postMessage({
    number, count: invoices.length, outstanding: sum('Open', 'Overdue', 'Approved'), overdue: sum('Overdue'), approved: sum('Approved'),
    shown: counted.reduce((total, one) => total + one.amount, 0), csv,
  });
};
