call fill_receipt_keys();
